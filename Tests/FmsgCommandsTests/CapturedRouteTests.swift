import CommandLineTool
import FmsgCore
import TestSupport
import Testing

/// What real hosts were seen to refuse, met by the commands that use those routes.
@Suite struct CapturedRouteTests {
    /// The line that uses a route; nil for routes that other tests look after.
    private static func line(_ route: Route, in folder: String) -> [String]? {
        switch route {
        case .createDraft: ["draft", "create", "@bob@example.com", "x"]
        case .replaceDraft: ["draft", "edit", "7", "y"]
        case .deleteDraft: ["draft", "delete", "7"]
        case .send: ["draft", "send", "7"]
        case .attach: ["send", "@bob@example.com", "x", "-a", "\(folder)/a"]
        case .detach: ["draft", "detach", "7", "a"]
        case .attachment: ["download", "7", "-o", folder]
        case .data: ["body", "7", "-o", "\(folder)/b"]
        case .addTo: ["add-to", "7", "@carol@example.com"]
        default: nil
        }
    }

    private static func route(_ method: String, _ path: String) -> Route? {
        Route.match(method: method, path: String(path.prefix { $0 != "?" }))?.route
    }

    static let refusals = Capture.all.filter { capture in
        guard capture.status >= 400, let route = route(capture.method, capture.path) else {
            return false
        }
        let routes: [Route] = [
            .createDraft, .replaceDraft, .deleteDraft, .send, .attach, .detach, .attachment, .data,
            .addTo,
        ]
        return routes.contains(route)
    }

    @Test func theyAreThere() { #expect(Self.refusals.count > 60) }

    @Test(arguments: refusals)
    func aRefusalIsToldInTheHostsWordsAndLeavesNothing(_ capture: Capture) async throws {
        let rig = try FileRig()
        try rig.write("a", [1])
        let refused = try #require(Self.route(capture.method, capture.path))
        let line = try #require(Self.line(refused, in: rig.path))
        let draft = #"""
            {"from":"@alice@example.com","to":["@bob@example.com"],"time":null,"size":1,
            "type":"text/plain","short_text":"x","attachments":[{"filename":"c","size":1}]}
            """#
        let server = try ScriptedServer(answering: { request in
            let route = Self.route(request.method, request.path)
            if route == refused {
                return .answer(
                    status: capture.status, headers: ["Content-Type: \(capture.contentType)"],
                    body: capture.body)
            }
            switch route {
            case .message: return .json(draft)
            case .deleteDraft: return .status(204)
            case .sent: return .json("[]")
            default: return .json(#"{"id":7,"time":1}"#)
            }
        })
        defer { server.stop() }
        var alice = CommandLine(url: server.url, key: nil)
        alice.environment["FMSG_TOKEN"] = TestToken.jwt(#"{"sub":"@alice@example.com"}"#)
        let run = await alice.run(line + ["--json"])
        try run.expectRefusal(as: capture)
        #expect(try rig.names == ["a"])
        // Whatever was begun is taken back.
        if refused == .attach {
            #expect(server.requests.contains { $0.method == "DELETE" && $0.path == "/fmsg/7" })
            #expect(!server.requests.contains { $0.path.hasSuffix("/send") })
        }
    }
}
