import FmsgCore
import TestSupport
import Testing
import WebSocketFrames

@testable import FmsgTransport

@Suite struct ProxyTests {
    @Test func requestsGoThroughTheProxyOfTheirScheme() async throws {
        let proxy = try ScriptedServer(answering: { _ in .json("{}") })
        let transport = transport {
            $0.httpProxy = proxy.url
            $0.httpsProxy = "http://127.0.0.1:1"
        }
        let response = try await transport.send(get("http://elsewhere.invalid/x?y"))
        #expect(response.status == 200)
        #expect(proxy.requests.map(\.path) == ["http://elsewhere.invalid/x?y"])
    }

    @Test func hostsMayBypassTheProxy() async throws {
        let server = try ScriptedServer(answering: { _ in .json("{}") })
        let transport = transport {
            $0.httpProxy = "http://127.0.0.1:1"
            $0.noProxy = "example.com,127.0.0.1"
        }
        #expect(try await transport.send(get(server.url)).status == 200)
    }

    @Test func aProxyThatRefusesIsNotTheHost() async throws {
        let proxy = try ScriptedServer(answering: { _ in .status(407) })
        let transport = transport {
            $0.httpsProxy = "http://user:hush@127.0.0.1:\(proxy.port)"
            $0.httpProxy = $0.httpsProxy
        }
        for url in ["https://elsewhere.invalid/", "http://elsewhere.invalid/"] {
            let error = try await failure { () throws(TransportError) in
                if url.hasPrefix("https") { return try await transport.send(get(url)) }
                guard case .refused(let answer) = try await transport.openSocket(get(url)) else {
                    throw TransportError(.broken, "opened", mayHaveArrived: true)
                }
                return answer
            }
            #expect(error.kind == .unreachable)
            #expect(!error.mayHaveArrived)
            #expect(!error.message.contains("hush"))
        }
        #expect(proxy.requests.allSatisfy { $0.method == "CONNECT" })
        #expect(proxy.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test(arguments: [
        "nonsense://u:hush@127.0.0.1:1", "http://u:hush@127.0.0.1:1", "u:hush@[", "http://u:hush@[",
        "http://u:hush@x y:1",
    ])
    func aProxyThatIsNoneIsNamedWithoutItsPassword(proxy: String) async throws {
        let transport = transport { $0.httpProxy = proxy }
        let error = try await failure { () throws(TransportError) in
            try await transport.send(get("http://elsewhere.invalid/"))
        }
        #expect(error.kind == .unreachable || error.kind == .invalidURL)
        #expect(!error.mayHaveArrived)
        #expect(!error.message.contains("hush"))
    }

    @Test func aWebSocketGetsATunnel() async throws {
        let proxy = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
            connection.acceptSocket(with: WebSocketFrame(.ping).encoded(mask: nil))
            _ = connection.readInputs()
        })
        let transport = transport { $0.httpProxy = proxy.url }
        guard
            case .open(let socket) = try await transport.openSocket(
                get("http://elsewhere.invalid/fmsg/ws"))
        else {
            Issue.record("refused")
            return
        }
        #expect(try await socket.receive() == .ping)
        #expect(proxy.requests.map(\.method) == ["CONNECT", "GET"])
        #expect(proxy.requests.map(\.path) == ["elsewhere.invalid:80", "/fmsg/ws"])
        await socket.close(code: 1000)
    }
}
