import FmsgCore
import TestSupport
import Testing

@testable import FmsgTransport

@Suite struct FailureTests {
    @Test func aClosedPortIsUnreachable() async throws {
        let port = try ScriptedServer.closedPort()
        let error = try await failure { () throws(TransportError) in
            try await transport().send(
                get("http://127.0.0.1:\(port)/p?access_token=hush", headers: [Header("A", "hush")]))
        }
        #expect(error.kind == .unreachable)
        #expect(!error.mayHaveArrived)
        #expect(error.message.contains("127.0.0.1:\(port)"))
        #expect(!error.message.contains("hush"))
    }

    @Test func anUnknownNameIsUnreachable() async throws {
        // Too long for a label, so that no name server is asked.
        let name = String(repeating: "x", count: 64) + ".invalid"
        let error = try await failure { () throws(TransportError) in
            try await transport().send(get("http://\(name)/"))
        }
        #expect(error.kind == .unreachable)
        #expect(!error.mayHaveArrived)
        #expect(error.message.contains("\(name):80"))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Le", "nonsense\r\n\r\n", "",
    ])
    func halfAnAnswerIsNone(bytes: String) async throws {
        let server = try ScriptedServer(answering: { _ in .bytes(bytes) })
        let error = try await failure { () throws(TransportError) in
            try await transport().send(
                TransportRequest(method: "POST", url: server.url, body: .bytes([1])))
        }
        #expect(error.kind == .broken)
        #expect(error.mayHaveArrived)
        #expect(server.requests.count == 1)
    }

    @Test func aResetIsABrokenConnection() async throws {
        let server = try ScriptedServer(answering: { _ in .reset })
        let error = try await failure { () throws(TransportError) in
            try await transport().send(get(server.url))
        }
        #expect(error.kind == .broken)
        #expect(error.mayHaveArrived)
    }

    @Test func anAnnouncedLengthOverTheLimitEndsTheTransferAtOnce() async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\nx")
            // Ends when the other side leaves.
            _ = connection.read()
        })
        var request = get(server.url)
        request.maximumResponseBytes = 10
        let error = try await failure { [request] () throws(TransportError) in
            try await transport().send(request)
        }
        #expect(error.kind == .tooLarge)
    }

    @Test(arguments: [10, 11])
    func theLimitHoldsForLengthsThatAreNotAnnounced(count: Int) async throws {
        let text = "HTTP/1.0 200 OK\r\n\r\n" + String(repeating: "x", count: count)
        let server = try ScriptedServer(answering: { _ in .bytes(text) })
        var request = get(server.url)
        request.maximumResponseBytes = 10
        if count == 10 {
            #expect(try await transport().send(request).body.count == 10)
        } else {
            let error = try await failure { [request] () throws(TransportError) in
                try await transport().send(request)
            }
            #expect(error.kind == .tooLarge)
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
            try await transport().send(get(server.url))
        }
        #expect(error.kind == .tooLarge)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na"])
    func silenceTimesOut(answer: String) async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write(answer)
            _ = connection.read()
        })
        let error = try await failure { () throws(TransportError) in
            try await transport { $0.idleTimeout = 0.2 }.send(get(server.url))
        }
        #expect(error.kind == .timedOut)
        #expect(error.mayHaveArrived)
        #expect(error.message.contains("127.0.0.1:\(server.port)"))
    }

    @Test func aSlowAnswerThatMovesDoesNotTimeOut() async throws {
        // Each wait is far under the idle limit, all together are over it.
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n")
            for _ in 0..<8 {
                connection.pause(milliseconds: 80)
                connection.write("x")
            }
        })
        let transport = transport { $0.idleTimeout = 0.4 }
        #expect(try await transport.send(get(server.url)).body.count == 8)
    }

    @Test func aHandshakeThatNeverComesTimesOut() async throws {
        let server = try ScriptedServer(connection: { connection in
            while !connection.read().isEmpty {}
        })
        let url = "https://127.0.0.1:\(server.port)/"
        let error = try await failure { () throws(TransportError) in
            try await transport { $0.connectTimeout = 0.2 }.send(get(url))
        }
        #expect(error.kind == .timedOut)
        #expect(!error.mayHaveArrived)
    }

    @Test func plainTextIsNoTLS() async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.read()
            connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        })
        let error = try await failure { () throws(TransportError) in
            try await transport().send(get("https://127.0.0.1:\(server.port)/"))
        }
        #expect(error.kind == .tls)
        #expect(!error.mayHaveArrived)
    }
}
