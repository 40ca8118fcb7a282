import FmsgCore
import TestSupport
import Testing

@testable import FmsgTransport

@Suite struct RequestTests {
    @Test func theAnswerComesWhole() async throws {
        let server = try ScriptedServer(answering: { _ in
            .answer(
                status: 418, headers: ["X-One:  a b ", "x-one: c", "Empty:"], body: [0, 1, 255])
        })
        let response = try await transport().send(get(server.url + "/a%2Fb/../c?q=%20"))
        #expect(response.status == 418)
        #expect(response.body == [0, 1, 255])
        #expect(response.header("X-ONE") == "a b")
        #expect(response.headers.filter { $0.name.lowercased() == "x-one" }.count == 2)
        #expect(response.header("empty") == "")
        #expect(server.requests.map(\.path) == ["/a%2Fb/../c?q=%20"])
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE"])
    func aRequestWithoutABodySaysSo(method: String) async throws {
        let server = try ScriptedServer(answering: { _ in .status(204) })
        let response = try await transport { $0.userAgent = "fmsg/test" }.send(
            TransportRequest(
                method: method, url: server.url + "/x",
                headers: [Header("Authorization", "Bearer t"), Header("X-Empty", "")]))
        #expect(response.status == 204)
        let request = try #require(server.requests.first)
        #expect(request.method == method)
        #expect(request.header("authorization") == "Bearer t")
        #expect(request.header("x-empty") == "")
        #expect(request.header("user-agent") == "fmsg/test")
        let hasLength = method != "GET" && method != "DELETE"
        #expect(request.header("content-length") == (hasLength ? "0" : nil))
        #expect(request.header("content-type") == nil)
        #expect(request.header("expect") == nil)
    }

    @Test func aHeadHasNoBody() async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        })
        let response = try await transport().send(TransportRequest(method: "HEAD", url: server.url))
        #expect(response.header("content-length") == "5")
        #expect(response.body.isEmpty)
    }

    @Test(arguments: [0, 1, 70_000, 3 << 20])
    func aBodyGoesUpAndDown(count: Int) async throws {
        let server = try ScriptedServer(answering: { .answer(status: 200, body: $0.body) })
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var request = TransportRequest(
            method: "POST", url: server.url, headers: [Header("Content-Type", "text/plain")],
            body: .bytes(body))
        #expect(try await transport().send(request).body == body)
        #expect(server.requests.first?.header("content-type") == "text/plain")
        for length in [Int64(count), nil] {
            let offset = Counter()
            request.body = .stream(length: length) { atMost in
                let start = offset.value
                let end = offset.add(min(atMost, 5_000, count - start))
                return Array(body[start..<end])
            }
            #expect(try await transport().send(request).body == body)
            let chunked = server.requests.last?.header("transfer-encoding")
            #expect(chunked == (length == nil ? "chunked" : nil))
        }
    }

    @Test func informationalAnswersAreNotTheAnswer() async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        })
        let response = try await transport().send(get(server.url))
        #expect(response.status == 200)
        #expect(response.header("link") == nil)
        #expect(response.body == Array("ok".utf8))
    }

    @Test func aBodyMayBeChunkedOrEndWithTheConnection() async throws {
        let server = try ScriptedServer(answering: { request in
            request.path == "/chunked"
                ? .bytes(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
                ) : .bytes("HTTP/1.0 200 OK\r\n\r\nabc")
        })
        let transport = transport()
        #expect(try await transport.send(get(server.url + "/chunked")).body == Array("abc".utf8))
        #expect(try await transport.send(get(server.url + "/end")).body == Array("abc".utf8))
    }

    @Test func aRedirectIsAnAnswer() async throws {
        let other = try ScriptedServer(answering: { _ in .status(200) })
        let server = try ScriptedServer(answering: { _ in
            .answer(status: 307, headers: ["Location: \(other.url)/stolen"], body: [])
        })
        let response = try await transport().send(
            get(server.url, headers: [Header("Authorization", "Bearer secret")]))
        #expect(response.status == 307)
        #expect(response.header("location") == other.url + "/stolen")
        #expect(other.connectionCount == 0)
    }

    @Test func noCookieIsKept() async throws {
        let server = try ScriptedServer(answering: { _ in
            .answer(status: 200, headers: ["Set-Cookie: a=b"], body: [])
        })
        let transport = transport()
        for _ in 0..<2 { _ = try await transport.send(get(server.url)) }
        #expect(server.requests.allSatisfy { $0.header("cookie") == nil })
    }

    @Test(arguments: [
        "", "example.com/x", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://a b/",
        "http://127.0.0.1/\r\nX: y", "http://user:pass@127.0.0.1/", "http://127.0.0.1:99999/",
    ])
    func otherURLsAreRefused(url: String) async throws {
        let error = try await failure { () throws(TransportError) in
            try await transport().send(get(url))
        }
        #expect(error.kind == .invalidURL)
        #expect(!error.mayHaveArrived)
        #expect(!error.message.contains("pass"))
    }

    @Test(arguments: [
        Header("X", "a\r\nEvil: 1"), Header("X\r\nEvil", "1"), Header("X", "a\nb"),
        Header("X", "a\0b"), Header("", "1"), Header("X Y", "1"), Header("X:", "1"),
    ])
    func noHeaderBreaksOutOfItsLine(header: Header) async throws {
        let server = try ScriptedServer(answering: { _ in .status(200) })
        let error = try await failure { () throws(TransportError) in
            try await transport().send(get(server.url, headers: [header]))
        }
        #expect(error.kind == .invalidURL)
        #expect(server.connectionCount == 0)
    }

    @Test func libcurlSaysWhatItIs() {
        #expect(CurlLibrary.version?.hasPrefix("libcurl/") == true)
    }
}
