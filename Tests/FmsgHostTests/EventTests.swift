import FmsgCore
import Glibc
import TestSupport
import Testing
import WebSocketFrames

@Suite struct EventTests {
    private static let users = ["alice", "bob", "carol", "dave"]

    @Test func eachParticipantHearsWhatConcernsIt() throws {
        let host = try TestHost(users: Self.users)
        let clients = try Self.users.map { try WireClient(host, $0) }
        let sockets = try clients.map { try EventSocket($0) }
        let (alice, bob) = (clients[0], clients[1])
        func pending() throws -> [[String]] { try sockets.map { try $0.pending() } }

        let id = try alice.send(to: [bob.address, "@carol@example.com"])
        #expect(
            try pending() == [
                ["delivered \(id)", "delivered \(id)"], ["new_msg \(id)"], ["new_msg \(id)"], [],
            ])
        let add: JSONObject = [Field.addTo: .strings(["@dave@example.com"])]
        try bob.request("POST", "/fmsg/\(id)/add-to", json: add)
        let added = "recipients_added \(id)"
        #expect(try pending() == [[added, "delivered \(id)"], [added], [added], [added]])

        try bob.request("POST", "/fmsg/\(id)/read")
        #expect(try pending() == [[], [], [], []])

        let emoji: JSONObject = [Field.emoji: .string("👍")]
        let answer = try bob.request("POST", "/fmsg/\(id)/react", json: emoji)
        let reaction = try #require(answer.json?[Field.id]?.int64)
        let told = "reaction \(id)"
        let receipts = Array(repeating: "delivered \(reaction)", count: 3)
        #expect(try pending() == [[told], receipts, [told], [told]])
        try bob.request("POST", "/fmsg/\(id)/react", json: emoji)
        #expect(try pending() == [[], [], [], []])

        let own = try alice.send(to: [alice.address])
        #expect(try pending() == [["new_msg \(own)", "delivered \(own)"], [], [], []])
        try alice.send(to: ["@nobody@example.com", "@x@remote.test"])
        #expect(try pending() == [[], [], [], []])
    }

    @Test func framesAreShapedAsCaptured() throws {
        let host = try TestHost(users: Self.users)
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let (author, reader) = (try EventSocket(alice), try EventSocket(bob))
        let captured = try Capture.frames("events-newer").map {
            try #require(try JSON.read($0.frame).object)
        }
        func expectShape(_ event: (type: String, data: JSONObject)) {
            let real = captured.first { $0[Field.type]?.string == event.type }
            let fields = real?[Field.data]?.object?.fields.map(\.key)
            #expect(event.data.fields.map(\.key) == fields, "\(event.type)")
        }
        let id = try alice.send(to: [bob.address])
        let arrived = try reader.event()
        expectShape(arrived)
        #expect(arrived.data[Field.shortText]?.string == "hello")
        expectShape(try author.event())
        let add: JSONObject = [Field.addTo: .strings(["@dave@example.com"])]
        try alice.request("POST", "/fmsg/\(id)/add-to", json: add)
        let added = try reader.event()
        expectShape(added)
        #expect(added.data[Field.hasAddTo]?.bool == true)
        let emoji: JSONObject = [Field.emoji: .string("👍")]
        try alice.request("POST", "/fmsg/\(id)/react", json: emoji)
        let reacted = try reader.event()
        #expect(reacted.type == "reaction")
        expectShape(reacted)
        #expect(reacted.data[Field.reactions]?.array?.count == 1)
    }

    @Test func anOldHostTellsTheSenderAlone() throws {
        let host = try TestHost(users: Self.users) { $0.generation = .july2026 }
        let clients = try Self.users.map { try WireClient(host, $0) }
        let sockets = try clients.map { try EventSocket($0) }
        let id = try clients[0].send(to: [clients[1].address])
        let add: JSONObject = [Field.addTo: .strings(["@dave@example.com"])]
        try clients[1].request("POST", "/fmsg/\(id)/add-to", json: add)
        let pending = try sockets.map { try $0.pending() }
        let delivered = "delivered \(id)"
        #expect(pending == [[delivered, delivered], ["new_msg \(id)"], [], []])
    }

    @Test func theUpgradeIsRefusedAsCaptured() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        func open(_ query: String, _ headers: [Header] = []) throws -> TransportResponse {
            try alice.request("GET", "/fmsg/ws\(query)", authorization: "", headers: headers)
        }
        expectLikeCapture("ws-no-token", try open(""))
        expectLikeCapture("ws-bad-token", try open("?access_token=x"))
        expectLikeCapture("ws-plain-get", try open("?access_token=\(alice.token)"))
        let upgrade = [
            Header("Upgrade", "websocket"), Header("Connection", "Upgrade"),
            Header("Sec-WebSocket-Version", "13"),
        ]
        let query = "?access_token=\(alice.token)"
        let key = Header("Sec-WebSocket-Key", "short")
        expectLikeCapture("ws-plain-get", try open(query, upgrade + [key]))
        let good = Header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(try open(query, upgrade + [good]).status == 101)
    }

    @Test func pingsComeAndSilenceEndsTheSocket() throws {
        let host = try TestHost {
            $0.pingPeriod = 0.02
            $0.silenceLimit = 0.15
        }
        let socket = try EventSocket(try WireClient(host, "alice"))
        // As long as pongs go back it stays, well beyond the limit.
        for _ in 0..<15 {
            guard case .ping(let payload) = try socket.next() else { continue }
            try socket.send(WebSocketFrame(.pong, payload))
        }
        // Without them it is dropped, and without a close frame.
        #expect(throws: WireConnection.Failure.closed) {
            while true {
                guard case .ping = try socket.next() else { return }
            }
        }
    }

    @Test func aSlowReaderIsDropped() throws {
        let host = try TestHost {
            // Nobody here answers a ping, and this machine may be slow.
            $0.pingPeriod = 600
            $0.silenceLimit = 600
        }
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let slow = try EventSocket(bob, receiveBuffer: 4096)
        let quick = try EventSocket(bob)
        let topic: JSONObject = [Field.topic: .string(String(repeating: "t", count: 255))]
        let name = String(repeating: "n", count: 200)
        let recipients = [bob.address] + (0..<200).map { "@\(name)\($0)@example.com" }
        var sent = 0
        // Until the socket's own buffers are full and 16 more wait.
        while host.host.eventSocketCount == 2, sent < 2000 {
            let id = try alice.send(to: recipients, "hello", topic)
            #expect(try quick.event().data[Field.id]?.int64 == id)
            sent += 1
        }
        #expect(sent < 2000)
        #expect(throws: WireConnection.Failure.closed) { while true { _ = try slow.next() } }
        let id = try alice.send(to: [bob.address])
        #expect(try quick.event().data[Field.id]?.int64 == id)
    }

    @Test func aCloseIsAnsweredWithItsCode() throws {
        let host = try TestHost()
        let socket = try EventSocket(try WireClient(host, "alice"))
        try socket.send(WebSocketFrame(.text, Array("nobody listens".utf8)))
        try socket.send(.close(.normal, reason: "bye"))
        #expect(try socket.next() == .close(code: .normal, reason: ""))
        #expect(throws: WireConnection.Failure.closed) { try socket.connection.readSome() }
    }

    @Test func brokenFramesEndTheSocket() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let unmasked = try EventSocket(alice)
        try unmasked.connection.write(WebSocketFrame(.ping).encoded(mask: nil))
        #expect(try unmasked.next() == .close(code: .protocolError, reason: ""))
        let large = try EventSocket(alice)
        try large.send(WebSocketFrame(.binary, [UInt8](repeating: 0, count: 70_000)))
        #expect(try large.next() == .close(code: .messageTooBig, reason: ""))
    }

    /// Ending many at once once made the hub and the server wait for each other.
    @Test func manySocketsCanEndAtOnce() async throws {
        let host = try TestHost()
        for _ in 0..<3 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let socket = try EventSocket(try WireClient(host, "alice"))
                        try socket.send(.close(.normal, reason: ""))
                    }
                }
                try await group.waitForAll()
            }
        }
        let alice = try WireClient(host, "alice")
        let socket = try EventSocket(alice)
        #expect(try socket.pending().isEmpty)
        host.stop()
    }

    @Test func stoppingClosesWithGoingAway() throws {
        let host = try TestHost()
        let socket = try EventSocket(try WireClient(host, "alice"))
        host.host.stop()
        #expect(try socket.next() == .close(code: .goingAway, reason: ""))
        #expect(throws: WireConnection.Failure.closed) { try socket.connection.readSome() }
        try host.host.start()
        let again = try EventSocket(try WireClient(host, "alice"))
        #expect(try again.pending().isEmpty)
    }

    @Test func aBurstDropsNobody() throws {
        let names = (0..<60).map { "user\($0)" }
        let host = try TestHost(users: ["alice"] + names)
        let alice = try WireClient(host, "alice")
        let socket = try EventSocket(alice)
        let id = try alice.send(to: names.map(TestHost.address))
        #expect(try socket.pending() == Array(repeating: "delivered \(id)", count: 60))
    }
}
