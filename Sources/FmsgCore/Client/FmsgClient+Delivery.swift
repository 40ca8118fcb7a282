extension FmsgClient {
    /// A sent message once it has reached each of its recipients or failed, or as it stands when
    /// `limit` seconds are over.
    public func settledDelivery(
        of id: Int64, within limit: Double
    ) async throws(FmsgError) -> FmsgMessage {
        let (inputs, feed) = AsyncStream.makeStream(of: DeliveryWait.Input.self)
        var wait = DeliveryWait(id: id, until: clock.uptime() + limit)
        var actions = wait.start()
        var timer: Task<Void, Never>?
        var listener: Task<Void, Never>?
        defer {
            timer?.cancel()
            listener?.cancel()
            feed.finish()
        }
        var waiting = inputs.makeAsyncIterator()
        while true {
            while !actions.isEmpty {
                switch actions.removeFirst() {
                case .look:
                    actions += wait.handle(try await look(at: id), at: clock.uptime())
                case .listen: listener = Task { await listen(feed) }
                case .startTimer(let seconds):
                    timer?.cancel()
                    timer = Task { [clock] in
                        guard (try? await clock.sleep(seconds)) != nil else { return }
                        feed.yield(.timeIsUp)
                    }
                case .finished(let message): return message
                case .failed(let error): throw error
                }
            }
            guard let input = await waiting.next(), !Task.isCancelled else { throw .cancelled }
            actions = wait.handle(input, at: clock.uptime())
        }
    }

    private func look(at id: Int64) async throws(FmsgError) -> DeliveryWait.Input {
        do throws(FmsgError) {
            return .looked(try await message(.id(id)))
        } catch {
            guard error.category != .cancelled else { throw error }
            return .lookFailed(error)
        }
    }

    /// Hands on what the event stream brings, until it ends or the task is cancelled.
    private func listen(_ feed: AsyncStream<DeliveryWait.Input>.Continuation) async {
        do throws(FmsgError) {
            let socket = try await openSocket()
            feed.yield(.listening)
            do throws(FmsgError) {
                while true {
                    switch try await Self.received(from: socket) {
                    case .message(let bytes):
                        if case .updated(_, let message)? = try? EventFrame(bytes) {
                            feed.yield(.told(message))
                        }
                    case .ping, .pong: break
                    case .closed: throw .cancelled
                    }
                }
            } catch {
                await socket.close(code: 1001)
            }
        } catch {}
        feed.yield(.deaf)
    }
}
