import Testing

@testable import FmsgRepl

#if canImport(Glibc)
    import Glibc
#endif

struct ReplStoreTests {
    private func isReadable(_ store: ReplStore) -> Bool {
        var wait = pollfd(fd: store.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) == 1
    }

    @Test func everyChangeWakesThePromptOnce() throws {
        let store = try ReplStore()
        #expect(!isReadable(store))
        for id in 1...100_000 { store.update { $0.listed = [Int64(id)] } }
        #expect(isReadable(store))
        store.acknowledge()
        #expect(!isReadable(store))
        #expect(store.read(\.listed) == [100_000])
    }

    /// However changes and wakings meet, none is slept through.
    @Test func noChangeIsSleptThrough() async throws {
        let store = try ReplStore()
        let count = 1_000_000
        let changes = Task.detached {
            for number in 1...count { store.update { $0.listed = [Int64(number)] } }
        }
        while store.read(\.listed) != [Int64(count)] {
            if isReadable(store) { store.acknowledge() } else { await Task.yield() }
        }
        await changes.value
        store.acknowledgeIfReadable(isReadable(store))
        store.update { $0.listed = [] }
        #expect(isReadable(store))
    }
}

extension ReplStore {
    fileprivate func acknowledgeIfReadable(_ isReadable: Bool) {
        if isReadable { acknowledge() }
    }
}
