import FmsgCore
import TestSupport
import Testing

@Suite struct AddToTests {
    private static let users = ["alice", "bob", "carol", "dave"]

    private func add(
        _ addresses: [String], to id: Int64, by client: WireClient
    ) throws -> TransportResponse {
        try client.request("POST", "/fmsg/\(id)/add-to", json: [Field.addTo: .strings(addresses)])
    }

    @Test func whoIsAddedReceivesTheMessage() throws {
        let host = try TestHost(users: Self.users)
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let dave = try WireClient(host, "dave")
        let id = try alice.send(to: [bob.address, "@carol@example.com"])
        let later = try alice.send(to: [dave.address])
        #expect(try dave.request("GET", "/fmsg/\(id)").status == 403)
        let answer = try add([dave.address, "@nobody@example.com"], to: id, by: bob)
        #expect(answer.json?[Field.added]?.int64 == 2)
        expectLikeCapture("addto-ok", answer)
        expectLikeCapture("list-after-addto-newrecipient", try dave.request("GET", "/fmsg"))
        #expect(try dave.list().compactMap { $0[Field.id]?.int64 } == [later, id])
        let message = try alice.request("GET", "/fmsg/\(id)")
        expectLikeCapture("get-after-addto", message)
        let batch = message.json?[Field.addTo]?.array?.first?.object
        #expect(batch?[Field.addToFrom]?.string == bob.address)
        #expect(batch?[Field.sha256] == answer.json?[Field.sha256])
        let delivery = batch?[Field.toDelivery]?.array?.compactMap(\.object) ?? []
        #expect(delivery.map { $0[Field.responseCode]?.int64 } == [200, 100])
    }

    @Test func addingIsRefusedAsCaptured() throws {
        let host = try TestHost(users: Self.users)
        let alice = try WireClient(host, "alice")
        let dave = try WireClient(host, "dave")
        let id = try alice.send(to: ["@bob@example.com"])
        expectLikeCapture("addto-empty", try add([], to: id, by: alice))
        expectLikeCapture(
            "addto-missing-field", try alice.request("POST", "/fmsg/\(id)/add-to", json: [:]))
        expectLikeCapture("addto-invalid", try add(["x"], to: id, by: alice))
        expectLikeCapture(
            "addto-dup", try add(["@erin@example.com", "@ERIN@example.com"], to: id, by: alice))
        expectLikeCapture("addto-not-found", try add([dave.address], to: 999_999, by: alice))
        expectLikeCapture("addto-existing-to", try add(["@bob@example.com"], to: id, by: alice))
        #expect(try add([dave.address], to: id, by: dave).status == 403)
        #expect(try add([dave.address], to: id, by: alice).status == 200)
        #expect(try add(["@carol@example.com"], to: id, by: dave).status == 403)
        let terminal = try alice.send(to: ["@bob@example.com"], "x", [Field.terminal: .bool(true)])
        expectLikeCapture("terminal-addto", try add([dave.address], to: terminal, by: alice))
    }

    @Test func onlyTheOwnerAddsToADraft() throws {
        let host = try TestHost(users: Self.users)
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let dave = try WireClient(host, "dave")
        let id = try alice.draft(to: [bob.address])
        #expect(try add([dave.address], to: id, by: bob).status == 403)
        #expect(try dave.list().isEmpty)
        #expect(try add([dave.address], to: id, by: alice).status == 200)
    }

    @Test func aBatchOfADraftGoesOutWithIt() throws {
        let host = try TestHost(users: Self.users)
        let alice = try WireClient(host, "alice")
        let dave = try WireClient(host, "dave")
        let id = try alice.draft(to: ["@bob@example.com"], "hello", [Field.topic: .string("T")])
        #expect(try add([dave.address], to: id, by: alice).status == 200)
        expectLikeCapture("get-draft-with-addto", try alice.request("GET", "/fmsg/\(id)"))
        #expect(try alice.request("POST", "/fmsg/\(id)/send").status == 200)
        let batch = try dave.message(id)?[Field.addTo]?.array?.first?.object
        #expect(batch?[Field.sha256]?.string?.count == 64)
        #expect(try dave.list().first?[Field.time]?.double != nil)
        let other = try alice.draft(to: ["@bob@example.com"])
        #expect(try add([dave.address], to: other, by: alice).status == 200)
        expectLikeCapture("delete-draft-with-addto", try alice.request("DELETE", "/fmsg/\(other)"))
    }

    @Test func whoWasOnlyAddedRepliesByTheBatch() throws {
        let host = try TestHost(users: Self.users)
        let alice = try WireClient(host, "alice")
        let carol = try WireClient(host, "carol")
        let dave = try WireClient(host, "dave")
        let id = try alice.send(to: ["@bob@example.com"])
        let batch = try #require(
            try add([carol.address], to: id, by: alice).json?[Field.sha256]?.string)
        #expect(try add([dave.address], to: id, by: alice).status == 200)
        let message = try #require(try alice.message(id)?[Field.sha256]?.string)
        func reply(_ author: WireClient, _ pid: JSON) throws -> TransportResponse {
            let body = author.draftBody(to: [alice.address], "re", [Field.pid: pid])
            return try author.request("POST", "/fmsg", json: body)
        }
        expectLikeCapture("reply-added-by-id", try reply(carol, .integer(id)))
        expectLikeCapture("reply-added-by-id", try reply(carol, .string(message)))
        expectLikeCapture("reply-added-by-id", try reply(dave, .string(batch)))
        let accepted = try reply(carol, .string(batch))
        expectLikeCapture("reply-added-by-batch-sha256", accepted)
        let draft = try #require(accepted.json?[Field.id]?.int64)
        #expect(try carol.request("POST", "/fmsg/\(draft)/send").status == 200)
        #expect(try alice.message(draft)?[Field.pid]?.int64 == id)
        #expect(try alice.message(draft)?[Field.parentSHA256]?.string == batch)
        #expect(try reply(alice, .string(batch)).status == 201)
        expectLikeCapture("get-by-batch-sha256", try alice.request("GET", "/fmsg/\(batch)"))
    }
}
