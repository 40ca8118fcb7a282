import FmsgCore
import Synchronization
import TestSupport
import Testing
import WebSocketFrames

@testable import FmsgTransport

@Suite struct SocketTests {
    static let hello = SocketInput.message(Array("hello".utf8))

    @Test func messagesComeWhole() async throws {
        let large = [UInt8](repeating: 0x62, count: 300_000)
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            connection.send(WebSocketFrame(.text, Array("hello".utf8)))
            connection.send(WebSocketFrame(.text, Array("hel".utf8), isFinal: false))
            connection.send(WebSocketFrame(.ping, [1]))
            connection.send(WebSocketFrame(.continuation, Array("lo".utf8)))
            connection.send(WebSocketFrame(.binary, large))
            connection.send(WebSocketFrame(.pong))
            _ = connection.readInputs()
        })
        let socket = try await open(server)
        let expected = [Self.hello, .ping, Self.hello, .message(large), .pong]
        for input in expected { #expect(try await socket.receive() == input) }
        let request = try #require(server.requests.first)
        #expect(request.path == "/fmsg/ws")
        #expect(request.header("host") == "127.0.0.1:\(server.port)")
        #expect(request.header("sec-websocket-version") == "13")
        #expect(request.header("user-agent") == "fmsg")
    }

    @Test func theHandshakeCarriesTheHeadersOfTheRequest() async throws {
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            _ = connection.readInputs()
        })
        let opening = try await transport().openSocket(
            get(server.url + "/ws?x=1", headers: [Header("Authorization", "Bearer t")]))
        guard case .open = opening else {
            Issue.record("refused")
            return
        }
        #expect(server.requests.first?.header("authorization") == "Bearer t")
        #expect(server.requests.first?.path == "/ws?x=1")
    }

    @Test func whatComesWithTheAnswerIsNotLost() async throws {
        let first = WebSocketFrame(.text, Array("hello".utf8)).encoded(mask: nil)
        let server = try ScriptedServer(connection: { connection in
            // The second frame is cut within its head.
            connection.acceptSocket(with: first + first.prefix(1))
            connection.write(Array(first.dropFirst()))
            _ = connection.readInputs()
        })
        let socket = try await open(server)
        for _ in 0..<2 { #expect(try await socket.receive() == Self.hello) }
    }

    @Test func theHeadMayComeByteByByte() async throws {
        let server = try ScriptedServer(connection: { connection in
            guard let key = connection.readRequest()?.header("Sec-WebSocket-Key") else { return }
            let head = """
                HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\
                Connection: upgrade\r\n\
                Sec-WebSocket-Accept: \(WebSocketHandshake.accept(forKey: key))\r\n\r\n
                """
            for byte in head.utf8 + WebSocketFrame(.text, Array("hello".utf8)).encoded(mask: nil) {
                connection.write([byte])
            }
            _ = connection.readInputs()
        })
        #expect(try await open(server).receive() == Self.hello)
    }

    @Test func pingsAreAnswered() async throws {
        let inputs = Mutex<[WebSocketInput]>([])
        let done = Happening()
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            connection.send(WebSocketFrame(.ping, [7, 8]))
            let read = connection.readInputs()
            inputs.withLock { $0 = read }
            done.happen()
        })
        let socket = try await open(server)
        #expect(try await socket.receive() == .ping)
        await socket.close(code: 1001)
        await done.wait()
        #expect(
            inputs.withLock { $0 } == [.pong([7, 8]), .close(code: .goingAway, reason: "")])
    }

    @Test func theCloseOfThePeerIsAnsweredAndStays() async throws {
        let inputs = Mutex<[WebSocketInput]>([])
        let done = Happening()
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            connection.send(.close(.policyViolation, reason: "too slow"))
            let read = connection.readInputs()
            inputs.withLock { $0 = read }
            done.happen()
        })
        let socket = try await open(server)
        for _ in 0..<3 {
            #expect(try await socket.receive() == .closed(code: 1008, reason: "too slow"))
        }
        await done.wait()
        #expect(inputs.withLock { $0 } == [.close(code: .policyViolation, reason: "")])
        await socket.close(code: 1000)
    }

    @Test func aCloseIsSeenThoughItsSenderReadsNoMore() async throws {
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            connection.send(WebSocketFrame(.ping))
            connection.send(.close(.goingAway))
        })
        let socket = try await open(server)
        #expect(try await socket.receive() == .ping)
        #expect(try await socket.receive() == .closed(code: 1001, reason: ""))
    }

    @Test func aCloseMayHaveNoCode() async throws {
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            connection.send(.close(nil))
        })
        #expect(try await open(server).receive() == .closed(code: nil, reason: ""))
    }

    @Test func closingEndsAReceptionThatWaits() async throws {
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            // Never answers the close frame.
            while !connection.read().isEmpty {}
        })
        let socket = try await open(server)
        let waiting = Task {
            try await failure { () throws(TransportError) in try await socket.receive() }
        }
        await socket.close(code: 1001)
        #expect(try await waiting.value.kind == .cancelled)
        await socket.close(code: 1001)
    }

    @Test func cancellationEndsAReceptionAndNotTheSocket() async throws {
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            _ = connection.readInputs()
        })
        let socket = try await open(server)
        let waiting = Task {
            try await failure { () throws(TransportError) in try await socket.receive() }
        }
        waiting.cancel()
        #expect(try await waiting.value.kind == .cancelled)
        await socket.close(code: 1001)
    }

    @Test func aCancelledReceptionLosesNothing() async throws {
        let accepted = Mutex<ScriptedConnection?>(nil)
        let server = try ScriptedServer(connection: { connection in
            accepted.withLock { $0 = connection }
            connection.acceptSocket()
            _ = connection.readInputs()
        })
        let socket = try await open(server)
        let waiting = Task { try? await socket.receive() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        let connection = try #require(accepted.withLock { $0 })
        connection.send(WebSocketFrame(.text, Array("hello".utf8)))
        #expect(try await socket.receive() == Self.hello)
    }

    @Test func anEndWithoutACloseFrameIsABreak() async throws {
        let whole = WebSocketFrame(.text, Array("hello".utf8)).encoded(mask: nil)
        for cut in [0, 1, 4] {
            let server = try ScriptedServer(connection: { connection in
                connection.acceptSocket(with: Array(whole.prefix(cut)))
            })
            let socket = try await open(server)
            for _ in 0..<2 {
                let error = try await failure { () throws(TransportError) in
                    try await socket.receive()
                }
                #expect(error.kind == .broken)
            }
        }
    }

    @Test(
        arguments: [
            ([0x81, 0x02, 0xC3, 0x28], WebSocketCloseCode.invalidPayload),
            ([0x81, 0x85, 0, 0, 0, 0, 0x61, 0x61, 0x61, 0x61, 0x61], .protocolError),
            ([0xC1, 0x01, 0x61], .protocolError),
            ([0x82, 0x7F, 0, 0, 0, 0, 0xFF, 0, 0, 0], .messageTooBig),
        ] as [([UInt8], WebSocketCloseCode)])
    func whoBreaksTheProtocolIsToldWhy(bytes: [UInt8], code: WebSocketCloseCode) async throws {
        let inputs = Mutex<[WebSocketInput]>([])
        let done = Happening()
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket(with: bytes)
            let read = connection.readInputs()
            inputs.withLock { $0 = read }
            done.happen()
        })
        let socket = try await open(server)
        for _ in 0..<2 {
            let error = try await failure { () throws(TransportError) in
                try await socket.receive()
            }
            #expect(error.kind == .broken)
        }
        await done.wait()
        #expect(inputs.withLock { $0 } == [.close(code: code, reason: "")])
    }

    @Test func theLimitOfAMessageIsTheSettings() async throws {
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            connection.send(WebSocketFrame(.binary, [1, 2, 3]))
            connection.send(WebSocketFrame(.binary, [1, 2, 3, 4]))
            _ = connection.readInputs()
        })
        let socket = try await open(server, transport { $0.maximumMessageBytes = 3 })
        #expect(try await socket.receive() == .message([1, 2, 3]))
        let error = try await failure { () throws(TransportError) in try await socket.receive() }
        #expect(error.kind == .broken)
    }

    @Test func manyMessagesKeepTheirOrder() async throws {
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            var bytes: [UInt8] = []
            for number in 0..<5_000 {
                bytes += WebSocketFrame(.text, Array("\(number)".utf8)).encoded(mask: nil)
            }
            connection.write(bytes)
            connection.send(.close(.normal))
        })
        let socket = try await open(server)
        for number in 0..<5_000 {
            #expect(try await socket.receive() == .message(Array("\(number)".utf8)))
        }
        #expect(try await socket.receive() == .closed(code: 1000, reason: ""))
    }

    @Test func aDroppedSocketDropsItsConnection() async throws {
        let ended = Happening()
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            _ = connection.readInputs()
            ended.happen()
        })
        _ = try await open(server)
        await ended.wait()
    }

    /// Fragments that bring nothing must not keep the loop from its other work.
    @Test func anEndlessMessageCanBeCancelled() async throws {
        let server = try ScriptedServer(connection: { connection in
            connection.acceptSocket()
            connection.send(WebSocketFrame(.text, isFinal: false))
            // Each two zero bytes are a continuation without content.
            let piece = [UInt8](repeating: 0, count: 1 << 16)
            while connection.write(piece) {}
        })
        let socket = try await open(server)
        let waiting = Task {
            try await failure { () throws(TransportError) in try await socket.receive() }
        }
        waiting.cancel()
        #expect(try await waiting.value.kind == .cancelled)
        let closing = Task {
            try await failure { () throws(TransportError) in try await socket.receive() }
        }
        await socket.close(code: 1001)
        #expect(try await closing.value.kind == .cancelled)
    }

    @Test func whoSendsPingsAndReadsNothingIsLeft() async throws {
        let server = try ScriptedServer(
            receiveBuffer: 4096,
            connection: { connection in
                connection.acceptSocket()
                let ping = WebSocketFrame(.ping, [UInt8](repeating: 7, count: 125)).encoded(
                    mask: nil)
                let pings = (0..<500).flatMap { _ in ping }
                while connection.write(pings) {}
            })
        let socket = try await open(server)
        let error = try await failure { () throws(TransportError) in
            while true {
                let input = try await socket.receive()
                #expect(input == .ping)
            }
        }
        #expect(error.kind == .broken)
    }
}
