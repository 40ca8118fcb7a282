import FmsgCore
import Synchronization
import TestSupport
import Testing

@testable import FmsgTransport

@Suite struct StreamTests {
    private struct Broken: Error {}

    static let total = 64 << 20
    /// What may be on its way: libcurl's buffers and those of the system for one connection.
    static let onItsWay = 16 << 20

    @Test func aLargeAnswerPassesThroughWithoutPilingUp() async throws {
        let written = Counter()
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(Self.total)\r\n\r\n")
            let piece = [UInt8](repeating: 7, count: 1 << 16)
            while written.value < Self.total, connection.write(piece) { written.add(piece.count) }
        })
        let taken = Counter()
        let behind = Mutex(0)
        let response = try await transport().send(
            get(server.url),
            to: ResponseSink(take: { piece in
                let lag = written.value - taken.add(piece.count)
                behind.withLock { $0 = max($0, lag) }
            }))
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
        #expect(taken.value == Self.total)
        #expect(behind.withLock { $0 } <= Self.onItsWay)
    }

    @Test(arguments: [Int64(total), nil])
    func aLargeBodyIsReadNoFasterThanItGoes(length: Int64?) async throws {
        let read = Counter()
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readHead()
            var bytes = connection.read()
            while !bytes.isEmpty {
                let isEnd = bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8)
                if read.add(bytes.count) == Self.total || isEnd { break }
                bytes = connection.read()
            }
            connection.send(.json("{}"))
        })
        let supplied = Counter()
        let ahead = Mutex(0)
        let piece = [UInt8](repeating: 7, count: 1 << 16)
        let body = TransportRequest.Body.stream(length: length) { atMost in
            let bytes = Array(piece.prefix(min(atMost, Self.total - supplied.value)))
            let lead = supplied.add(bytes.count) - read.value
            ahead.withLock { $0 = max($0, lead) }
            return bytes
        }
        let response = try await transport().send(
            TransportRequest(method: "POST", url: server.url, body: body))
        #expect(response.status == 200)
        #expect(supplied.value == Self.total)
        #expect(ahead.withLock { $0 } <= Self.onItsWay)
    }

    @Test func thePiecesComeInOrder() async throws {
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try ScriptedServer(answering: { _ in .answer(status: 206, body: body) })
        let taken = Mutex<[UInt8]>([])
        var request = get(server.url)
        // The limit is for what is collected.
        request.maximumResponseBytes = 1
        _ = try await transport().send(
            request, to: ResponseSink(take: { piece in taken.withLock { $0 += piece } }))
        #expect(taken.withLock { $0 } == body)
    }

    @Test func theHeadComesFirstAndOnce() async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write(
                "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 206 Partial\r\n"
                    + "Content-Range: bytes 0-0/1\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "1\r\nx\r\n0\r\nTrailer: y\r\n\r\n")
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        })
        let log = Mutex<[String]>([])
        let sink = ResponseSink(
            begin: { head in
                let range = head.header("Content-Range") ?? "-"
                log.withLock { $0.append("\(head.status) \(range)") }
            }, take: { piece in log.withLock { $0.append("\(piece.count)") } })
        let transport = transport()
        _ = try await transport.send(get(server.url), to: sink)
        _ = try await transport.send(get(server.url), to: sink)
        #expect(log.withLock { $0 } == ["206 bytes 0-0/1", "1", "200 -"])
    }

    @Test func arefusalIsCollected() async throws {
        let server = try ScriptedServer(answering: { _ in .json("{\"error\":\"no\"}", status: 404) }
        )
        let taken = Counter()
        let response = try await transport().send(
            get(server.url), to: ResponseSink(take: { taken.add($0.count) }))
        #expect(response.status == 404)
        #expect(response.body == Array("{\"error\":\"no\"}".utf8))
        #expect(taken.value == 0)
    }

    @Test func aSinkThatThrowsEndsTheTransfer() async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(Self.total)\r\n\r\nx")
            _ = connection.read()
        })
        let error = try await failure { () throws(TransportError) in
            try await transport().send(
                get(server.url), to: ResponseSink(take: { _ in throw Broken() }))
        }
        #expect(error.kind == .sink)
        #expect(error.mayHaveArrived)
    }

    @Test(
        arguments: [
            { _ in throw Broken() }, { _ in [] }, { [UInt8](repeating: 1, count: $0 + 1) },
        ] as [@Sendable (Int) throws -> [UInt8]])
    func aSourceThatFailsEndsTheTransfer(
        next: @escaping @Sendable (Int) throws -> [UInt8]
    ) async throws {
        let server = try ScriptedServer(answering: { _ in .status(200) })
        let error = try await failure { () throws(TransportError) in
            try await transport().send(
                TransportRequest(
                    method: "POST", url: server.url, body: .stream(length: 10, next: next)))
        }
        #expect(error.kind == .source)
        #expect(server.requests.isEmpty)
    }

    @Test func aTruncatedDownloadIsAnError() async throws {
        let server = try ScriptedServer(answering: { _ in
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        })
        let taken = Counter()
        let error = try await failure { () throws(TransportError) in
            try await transport().send(
                get(server.url), to: ResponseSink(take: { taken.add($0.count) }))
        }
        #expect(error.kind == .broken)
        #expect(taken.value == 3)
    }

    @Test func anAnswerBeforeTheBodyIsThroughIsTheAnswer() async throws {
        let server = try ScriptedServer(connection: { connection in
            _ = connection.readHead()
            connection.send(.json("{\"error\":\"too large\"}", status: 413))
            while !connection.read().isEmpty {}
        })
        let response = try await transport().send(
            TransportRequest(
                method: "POST", url: server.url,
                body: .stream(length: Int64(Self.total)) { [UInt8](repeating: 0, count: $0) }))
        #expect(response.status == 413)
    }
}
