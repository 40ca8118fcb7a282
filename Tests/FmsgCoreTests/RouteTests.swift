import FmsgCore
import Testing

@Suite struct RouteTests {
    @Test(arguments: Route.allCases)
    func aBuiltPathIsRecognised(_ route: Route) throws {
        let values = ["a/b c%ü", "ü?#.txt"]
        let count = route.template.split(separator: "/").filter { $0.hasPrefix(":") }.count
        let parameters = Array(values.prefix(count))
        let match = try #require(
            Route.match(method: route.method, path: route.path(parameters)))
        #expect(match.route == route)
        #expect(match.parameters == parameters)
    }

    @Test(arguments: [
        ("GET", "/fmsg/1/nope"), ("PATCH", "/fmsg"), ("GET", "/nope"), ("GET", "/fmsg/"),
        ("GET", "/fmsg/%zz"), ("GET", "/fmsg/%ff"), ("GET", ""), ("GET", "//fmsg"),
    ])
    func othersAreNot(_ method: String, _ path: String) {
        #expect(Route.match(method: method, path: path) == nil)
    }

    @Test(arguments: [
        ("https://Host.Example", "https://host.example"),
        ("https://host.example/", "https://host.example"),
        ("HTTPS://host.example:8443/fmsg/", "https://host.example:8443"),
        ("http://127.0.0.1:80/x/fmsg", "http://127.0.0.1:80/x"),
        ("http://[::1]:1", "http://[::1]:1"),
    ])
    func aHostURLHasOneSpelling(_ text: String, _ normal: String) throws {
        #expect(try HostURL(text).text == normal)
    }

    @Test(arguments: [
        "", "host.example", "ftp://x", "https://", "https:///x", "https://u:p@x", "https://x?y",
        "https://x#y", "https://x y", "file:///etc/passwd", "https://é",
    ])
    func anUnfitURLIsRefused(_ text: String) {
        #expect(throws: FmsgError.self) { try HostURL(text) }
    }

    @Test func loopbackIsKnown() throws {
        for text in ["http://localhost:1", "http://127.9.9.9", "http://[::1]"] {
            #expect(try HostURL(text).isLoopback)
        }
        for text in ["http://127.evil.example", "http://10.0.0.1", "http://localhost.example"] {
            #expect(try !HostURL(text).isLoopback)
        }
    }

    @Test(arguments: [
        ("41", MessageReference.id(41)), ("9223372036854775807", .id(.max)), ("-1", .newest(1)),
        ("-20", .newest(20)),
        (String(repeating: "Ab", count: 32), .sha256(String(repeating: "ab", count: 32))),
    ])
    func aReferenceIsRead(_ text: String, _ reference: MessageReference) throws {
        #expect(try MessageReference(text) == reference)
    }

    @Test(arguments: [
        "", "0", "-0", "-", "--1", "9223372036854775808", "1.0", "+1", "abc", "@a@b", "１",
        "-９", "%1", " 1",
    ])
    func othersAreNoReference(_ text: String) {
        #expect(throws: MessageReferenceError.self) { try MessageReference(text) }
    }
}
