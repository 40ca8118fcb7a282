import FmsgCore
import Synchronization
import TestSupport
import Testing

@testable import FmsgTransport

@Suite struct ConnectionTests {
    @Test func oneConnectionServesRequestsInARow() async throws {
        let server = try ScriptedServer(answering: { _ in .json("{}") })
        let transport = transport()
        for _ in 0..<5 { _ = try await transport.send(get(server.url)) }
        _ = try await transport.send(
            TransportRequest(method: "POST", url: server.url, body: .bytes([1])))
        #expect(server.requests.count == 6)
        #expect(server.connectionCount == 1)
    }

    @Test func requestsRunAtOnceOverKeptConnections() async throws {
        // Nobody is answered before all eight are there.
        let waiting = Mutex<[ScriptedConnection]>([])
        let server = try ScriptedServer(connection: { connection in
            while connection.readRequest() != nil {
                let all = waiting.withLock { waiting -> [ScriptedConnection] in
                    waiting.append(connection)
                    guard waiting.count == 8 else { return [] }
                    defer { waiting = [] }
                    return waiting
                }
                for connection in all { connection.send(.json("{}")) }
            }
        })
        let transport = transport()
        for _ in 0..<2 {
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { try? await transport.send(get(server.url)).status }
                }
                for await status in group { #expect(status == 200) }
            }
        }
        #expect(server.connectionCount == 8)
        #expect(server.requests.count == 16)
    }

    @Test func moreRequestsThanMayRunWaitTheirTurn() async throws {
        let server = try ScriptedServer(answering: { _ in .json("{}") })
        let transport = transport()
        await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { try? await transport.send(get(server.url)).status }
            }
            for await status in group { #expect(status == 200) }
        }
        #expect(server.requests.count == 100)
        #expect(server.connectionCount <= CurlTransport.maximumRunning)
    }

    @Test func aKeptConnectionThatEndedIsReplaced() async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.send(.json("{}"))
        })
        let transport = transport()
        for _ in 0..<3 { #expect(try await transport.send(get(server.url)).status == 200) }
        #expect(server.connectionCount == 3)
    }

    /// The host got the request over a kept connection and ended without an answer: whether it
    /// acted on it is unknown, so that it is not for the transport to send it again.
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func whatIsNotSafeIsNeverSentTwice(method: String) async throws {
        let server = try ScriptedServer(answering: { request in
            request.method == "GET" ? .json("{}") : .close
        })
        let transport = transport()
        _ = try await transport.send(get(server.url))
        for body in [TransportRequest.Body.none, .bytes([1, 2])] {
            let error = try await failure { () throws(TransportError) in
                try await transport.send(
                    TransportRequest(method: method, url: server.url, body: body))
            }
            #expect(error.kind == .broken)
            #expect(error.mayHaveArrived)
            _ = try await transport.send(get(server.url))
        }
        #expect(server.requests.filter { $0.method == method }.count == 2)
    }

    @Test func whatIsSafeIsRepeatedOverAFreshConnection() async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.send(.json("{}"))
            _ = connection.readRequest()
        })
        let transport = transport()
        for _ in 0..<2 { #expect(try await transport.send(get(server.url)).status == 200) }
        #expect(server.requests.count == 3)
        #expect(server.connectionCount == 2)
    }

    @Test func theEndOfATransportEndsItsConnections() async throws {
        let ended = Happening()
        let server = try ScriptedServer(connection: { connection in
            while connection.readRequest() != nil { connection.send(.json("{}")) }
            ended.happen()
        })
        do {
            let transport = transport()
            _ = try await transport.send(get(server.url))
        }
        await ended.wait()
        #expect(server.connectionCount == 1)
    }

    @Test func aTransportThatWasNeverUsedHasNothingToEnd() {
        _ = transport()
    }
}
