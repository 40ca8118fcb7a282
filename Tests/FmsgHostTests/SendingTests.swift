import FmsgCore
import TestSupport
import Testing

@Suite struct SendingTests {
    @Test func aMessageGoesFromDraftToInbox() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let id = try alice.send(to: [bob.address], "hello", [Field.topic: .string("Greetings")])
        #expect(id == 1)
        let received = try bob.list()
        #expect(received.count == 1)
        #expect(received.first?[Field.id]?.int64 == id)
        #expect(received.first?[Field.shortText]?.string == "hello")
        #expect(received.first?[Field.read]?.bool == false)
    }
}
