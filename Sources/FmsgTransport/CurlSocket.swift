import FmsgCore
import Synchronization

/// An open WebSocket over libcurl, with a thread of its own. Dropping it drops the connection.
final class CurlSocket: TransportSocket {
    private let thread: CurlThread
    private let connection: CurlSocketTask
    private let calls = Atomic(0)

    init(_ connection: CurlSocketTask, thread: CurlThread) {
        self.connection = connection
        self.thread = thread
    }

    func receive() async throws(TransportError) -> SocketInput {
        let (loop, connection) = (thread.loop, connection)
        let call = calls.add(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.perform { connection.receive(call, continuation) }
            }
        } onCancel: {
            loop.perform { connection.cancelReceive(call) }
        }.get()
    }

    func close(code: UInt16) async {
        let (loop, connection) = (thread.loop, connection)
        await withCheckedContinuation { continuation in
            loop.perform { connection.close(code: code, continuation) }
        }
    }
}
