import FmsgCore
import TestSupport
import Testing

@testable import FmsgTransport

@Suite struct CancellationTests {
    @Test func aCancelledRequestEndsAndItsConnectionToo() async throws {
        let arrived = Happening()
        let left = Happening()
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na")
            arrived.happen()
            _ = connection.read()
            left.happen()
        })
        let transport = transport()
        let task = Task {
            try await failure { () throws(TransportError) in
                try await transport.send(get(server.url))
            }
        }
        await arrived.wait()
        task.cancel()
        let error = try await task.value
        #expect(error.kind == .cancelled)
        #expect(error.mayHaveArrived)
        await left.wait()
    }

    @Test func aCancelledHandshakeEnds() async throws {
        let arrived = Happening()
        let server = try ScriptedServer(connection: { connection in
            _ = connection.read()
            arrived.happen()
            while !connection.read().isEmpty {}
        })
        let transport = transport()
        let task = Task {
            try await failure { () throws(TransportError) in
                try await transport.send(get("https://127.0.0.1:\(server.port)/"))
            }
        }
        await arrived.wait()
        task.cancel()
        let error = try await task.value
        #expect(error.kind == .cancelled)
        #expect(!error.mayHaveArrived)
    }

    @Test func whatIsCancelledBeforehandIsNotSent() async throws {
        let server = try ScriptedServer(answering: { _ in .status(200) })
        let transport = transport()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await failure { () throws(TransportError) in
                try await transport.send(get(server.url))
            }
        }
        let error = try await task.value
        #expect(error.kind == .cancelled)
        #expect(!error.mayHaveArrived)
        #expect(server.connectionCount == 0)
    }

    @Test func oneCancellationLeavesTheOthersAlone() async throws {
        let arrived = Happening()
        let server = try ScriptedServer(answering: { request in
            if request.path == "/slow" {
                arrived.happen()
                return .bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na")
            }
            return .json("{}")
        })
        let transport = transport()
        let task = Task { try? await transport.send(get(server.url + "/slow")) }
        await arrived.wait()
        task.cancel()
        for _ in 0..<3 { #expect(try await transport.send(get(server.url)).status == 200) }
        _ = await task.value
    }

    @Test func aRequestThatWaitsItsTurnCanBeCancelled() async throws {
        let arrived = Counter()
        let full = Happening()
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            if arrived.add(1) == CurlTransport.maximumRunning { full.happen() }
            _ = connection.read()
        })
        let transport = transport()
        let running = (0..<CurlTransport.maximumRunning).map { _ in
            Task { try? await transport.send(get(server.url)) }
        }
        await full.wait()
        let waiting = Task {
            try await failure { () throws(TransportError) in
                try await transport.send(get(server.url))
            }
        }
        waiting.cancel()
        let error = try await waiting.value
        #expect(error.kind == .cancelled)
        #expect(!error.mayHaveArrived)
        for task in running { task.cancel() }
        for task in running { _ = await task.value }
        #expect(server.connectionCount == CurlTransport.maximumRunning)
    }
}
