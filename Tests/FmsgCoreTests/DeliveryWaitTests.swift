import FmsgCore
import Testing

/// The waiting for a delivery, step by step.
@Suite struct DeliveryWaitTests {
    /// Message 7 with recipients in the given states: a time, or a code.
    private func message(_ states: String...) throws -> FmsgMessage {
        let delivery = states.enumerated().map { index, state in
            #"{"addr":"@u\#(index)@example.com",\#(state)}"#
        }
        let json = """
            {"id":7,"from":"@a@example.com","to":[],"time":1,"to_delivery":\
            [\(delivery.joined(separator: ","))]}
            """
        return try FmsgMessage(document: try #require(try JSON.read(json).object))
    }

    private let delivered = #""time_delivered":"2026-11-30T12:00:00Z","response_code":200"#
    private let pending = #""time_delivered":null,"response_code":-1"#
    private let elsewhere = #""time_delivered":null,"response_code":-2"#
    private let unanswered = #""time_delivered":null,"response_code":null"#
    private let failed = #""time_delivered":null,"response_code":100"#

    @Test func whatIsSettledIsOverWithTheFirstLook() throws {
        let message = try message(delivered, failed)
        var wait = DeliveryWait(id: 7, until: 60)
        #expect(wait.start() == [.look])
        #expect(wait.handle(.looked(message), at: 0) == [.finished(message)])
    }

    @Test func anEventEndsIt() throws {
        let last = try message(delivered, delivered)
        let partly = try message(delivered, pending)
        var wait = DeliveryWait(id: 7, until: 60)
        #expect(
            wait.handle(.looked(try message(elsewhere, unanswered)), at: 0)
                == [.listen, .startTimer(0.25)])
        // What came before the stream was open is looked for.
        #expect(wait.handle(.listening, at: 0.1) == [.look])
        #expect(wait.handle(.looked(partly), at: 0.2) == [.startTimer(5)])
        #expect(wait.handle(.told(partly), at: 0.3) == [])
        let other = try FmsgMessage(document: ["id": .integer(8), "time": .double(1)])
        #expect(wait.handle(.told(other), at: 0.4) == [])
        #expect(wait.handle(.told(last), at: 0.5) == [.finished(last)])
    }

    @Test func withoutEventsItLooksLessAndLessOften() throws {
        let message = try message(pending)
        var wait = DeliveryWait(id: 7, until: 20)
        _ = wait.handle(.looked(message), at: 0)
        #expect(wait.handle(.deaf, at: 0) == [])
        var pauses: [Double] = []
        for now in [0.25, 0.75, 1.75, 3.75, 7.75, 12.75, 17.75] {
            #expect(wait.handle(.timeIsUp, at: now) == [.look])
            guard case .startTimer(let pause)? = wait.handle(.looked(message), at: now).first
            else { break }
            pauses.append(pause)
        }
        #expect(pauses == [0.5, 1, 2, 4, 5, 5, 2.25])
        #expect(wait.handle(.looked(message), at: 20) == [.finished(message)])
    }

    @Test func aFailedLookIsRepeatedWhileThatMayHelp() throws {
        let broken = FmsgError.transport(
            TransportError(.broken, "broken", mayHaveArrived: true))
        let message = try message(pending)
        var wait = DeliveryWait(id: 7, until: 1)
        #expect(wait.handle(.lookFailed(broken), at: 0) == [.startTimer(0.25)])
        _ = wait.handle(.looked(message), at: 0.5)
        #expect(wait.handle(.lookFailed(broken), at: 1) == [.finished(message)])
        #expect(
            wait.handle(.lookFailed(.noCredential("none")), at: 0.6)
                == [.failed(.noCredential("none"))])
        var blind = DeliveryWait(id: 7, until: 1)
        #expect(blind.handle(.lookFailed(broken), at: 1) == [.failed(broken)])
    }
}
