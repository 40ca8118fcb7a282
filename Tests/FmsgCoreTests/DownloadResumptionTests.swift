import FmsgCore
import Testing

/// A download that breaks, step by step.
@Suite struct DownloadResumptionTests {
    private let broken = FmsgError.transport(
        TransportError(.broken, "broken", mayHaveArrived: true))

    @Test func whatIsThereIsNotAskedFor() {
        var whole = DownloadResumption(.attachment, size: 10)
        #expect(whole.start(received: 10) == .finished)
        var some = DownloadResumption(.attachment, size: 10)
        #expect(some.start(received: 4) == .request(from: 4))
        #expect(some.next(after: .ended, received: 10) == .finished)
        var none = DownloadResumption(.attachment, size: 0)
        #expect(none.start(received: 0) == .request(from: 0))
        #expect(none.next(after: .ended, received: 0) == .finished)
    }

    @Test func itGoesOnAsLongAsSomethingComes() {
        var download = DownloadResumption(.data, size: 1000)
        #expect(download.start(received: 0) == .request(from: 0))
        for received in stride(from: Int64(10), to: 1000, by: 10) {
            #expect(download.next(after: .failed(broken), received: received) == .wait(0.2))
            #expect(download.next(after: .waited, received: received) == .request(from: received))
        }
        #expect(download.next(after: .ended, received: 1000) == .finished)
    }

    @Test func itIsGivenUpWhenNothingComes() {
        var download = DownloadResumption(.data, size: 1000)
        _ = download.start(received: 0)
        var pauses: [Double] = []
        while case .wait(let pause) = download.next(after: .failed(broken), received: 0) {
            pauses.append(pause)
            _ = download.next(after: .waited, received: 0)
        }
        #expect(pauses == [0.2, 0.4, 0.8, 1.6, 3.2])
    }

    @Test func aRefusalEndsItAndAFailingHostIsAskedAgain() {
        var download = DownloadResumption(.data, size: 10)
        _ = download.start(received: 0)
        let refused = FmsgError.refused(
            HostRefusal(route: .data, response: TransportResponse(status: 403)))
        #expect(download.next(after: .failed(refused), received: 3) == .failed(refused))
        let busy = FmsgError.refused(
            HostRefusal(
                route: .data,
                response: TransportResponse(status: 503, headers: [Header("Retry-After", "7")])))
        #expect(download.next(after: .failed(busy), received: 3) == .wait(7))
    }

    @Test func aWrongSizeIsNoSuccess() {
        var download = DownloadResumption(.data, size: 10)
        _ = download.start(received: 0)
        guard case .failed(.malformedAnswer) = download.next(after: .ended, received: 9) else {
            Issue.record("taken for whole")
            return
        }
    }
}
