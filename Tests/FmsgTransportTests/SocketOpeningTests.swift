import FmsgCore
import TestSupport
import Testing

@testable import FmsgTransport

@Suite struct SocketOpeningTests {
    private static let refusal = Array("{\"error\":\"invalid token\"}".utf8)

    @Test(arguments: [
        "HTTP/1.1 401 Unauthorized\r\nContent-Length: 25\r\n\r\n{\"error\":\"invalid token\"}extra",
        "HTTP/1.0 401 Unauthorized\n\n{\"error\":\"invalid token\"}",
        "HTTP/1.1 401\r\nTransfer-Encoding: chunked\r\n\r\n9;x=y\r\n{\"error\":\r\n10\r\n\"invalid token\"}\r\n0\r\n\r\n",
    ])
    func aRefusalIsAnAnswer(bytes: String) async throws {
        let server = try ScriptedServer(answering: { _ in .bytes(bytes) })
        guard case .refused(let response) = try await transport().openSocket(get(server.url))
        else {
            Issue.record("opened")
            return
        }
        #expect(response.status == 401)
        #expect(response.body == Self.refusal)
    }

    @Test func aRefusalOverAKeptConnectionDoesNotWaitForItsEnd() async throws {
        let server = try ScriptedServer(answering: { _ in .json("{}", status: 403) })
        guard case .refused(let response) = try await transport().openSocket(get(server.url))
        else {
            Issue.record("opened")
            return
        }
        #expect(response.status == 403)
        #expect(response.header("content-type") == "application/json")
    }

    @Test(arguments: [
        ("", TransportError.Kind.broken), ("HTTP/1.1 101", .broken), ("nonsense\r\n\r\n", .broken),
        ("HTTP/1.1 401 X\r\nContent-Length: 9\r\n\r\nab", .broken),
        ("HTTP/1.1 401 X\r\nContent-Length: -1\r\n\r\nab", .broken),
        ("HTTP/1.1 401 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .broken),
        ("HTTP/1.1 401 X\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nab", .broken),
        ("HTTP/1.1 401 X\r\nTransfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFFF\r\nab", .tooLarge),
        ("HTTP/1.1 401 X\r\nContent-Length: 9999999999\r\n\r\nab", .tooLarge),
        ("HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", .broken),
        (
            "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n", .broken
        ),
    ])
    func otherAnswersAreErrors(bytes: String, kind: TransportError.Kind) async throws {
        let server = try ScriptedServer(answering: { _ in .bytes(bytes) })
        let error = try await failure { () throws(TransportError) in
            try await transport().openSocket(get(server.url))
        }
        #expect(error.kind == kind)
        #expect(error.mayHaveArrived)
    }

    @Test func whatWasNotOfferedIsNotAccepted() async throws {
        for header in ["Sec-WebSocket-Extensions: permessage-deflate", "Sec-WebSocket-Protocol: x"]
        {
            let server = try ScriptedServer(connection: { connection in
                guard let key = connection.readRequest()?.header("Sec-WebSocket-Key") else {
                    return
                }
                connection.send(
                    .answer(status: 101, headers: SocketPeer.headers(for: key) + [header], body: [])
                )
            })
            let error = try await failure { () throws(TransportError) in
                try await transport().openSocket(get(server.url))
            }
            #expect(error.kind == .broken)
        }
    }

    @Test func anEndlessHeadIsTooLarge() async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n")
            let line = "X: " + String(repeating: "x", count: 1000) + "\r\n"
            while connection.write(line) {}
        })
        let error = try await failure { () throws(TransportError) in
            try await transport().openSocket(get(server.url))
        }
        #expect(error.kind == .tooLarge)
    }

    @Test func aClosedPortIsUnreachable() async throws {
        let port = try ScriptedServer.closedPort()
        let error = try await failure { () throws(TransportError) in
            try await transport().openSocket(get("http://127.0.0.1:\(port)/"))
        }
        #expect(error.kind == .unreachable)
        #expect(!error.mayHaveArrived)
    }

    @Test func silenceTimesOut() async throws {
        let server = try ScriptedServer(connection: { connection in
            while !connection.read().isEmpty {}
        })
        let error = try await failure { () throws(TransportError) in
            try await transport { $0.idleTimeout = 0.2 }.openSocket(get(server.url))
        }
        #expect(error.kind == .timedOut)
        #expect(error.mayHaveArrived)
    }

    @Test func anOpeningCanBeCancelled() async throws {
        let arrived = Happening()
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            arrived.happen()
            while !connection.read().isEmpty {}
        })
        let transport = transport()
        let task = Task {
            try await failure { () throws(TransportError) in
                try await transport.openSocket(get(server.url))
            }
        }
        await arrived.wait()
        task.cancel()
        #expect(try await task.value.kind == .cancelled)
    }

    @Test(arguments: ["", "ws://127.0.0.1/", "http://u:p@127.0.0.1/"])
    func otherURLsAreRefused(url: String) async throws {
        let error = try await failure { () throws(TransportError) in
            try await transport().openSocket(get(url))
        }
        #expect(error.kind == .invalidURL)
    }
}
