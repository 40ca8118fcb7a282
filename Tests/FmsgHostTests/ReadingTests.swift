import FmsgCore
import TestSupport
import Testing

@Suite struct ReadingTests {
    @Test func listsArePagedByIdDescending() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        expectLikeCapture("list-empty", try bob.request("GET", "/fmsg"))
        for number in 1...25 { try alice.send(to: [bob.address], "\(number)") }
        func ids(_ query: String) throws -> [Int64] {
            try bob.list(query).compactMap { $0[Field.id]?.int64 }
        }
        #expect(try ids("") == (6...25).reversed().map { Int64($0) })
        #expect(try ids("?limit=3&offset=2") == [23, 22, 21])
        #expect(try ids("?limit=101").count == 25)
        #expect(try ids("?offset=25").isEmpty)
        for query in ["limit=0", "limit=-1", "limit=x", "offset=-1", "limit=", "offset=1.0"] {
            #expect(try bob.request("GET", "/fmsg?\(query)").status == 400, "\(query)")
        }
        let sent = try alice.request("GET", "/fmsg/sent?limit=2")
        #expect(try JSON.read(sent.body).array?.count == 2)
    }

    @Test func aPageHoldsAHundredAtMost() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        for _ in 1...101 { _ = try alice.draft(to: ["@bob@example.com"]) }
        let answer = try alice.request("GET", "/fmsg/sent?limit=1000")
        #expect(try JSON.read(answer.body).array?.count == 100)
    }

    @Test func draftsAreShownToRecipientsWhereTheHostDoes() throws {
        let open = try TestHost()
        let draft = try WireClient(open, "alice").draft(to: ["@bob@example.com"])
        let bob = try WireClient(open, "bob")
        expectLikeCapture("list-shows-draft-to-recipient", try bob.request("GET", "/fmsg?limit=1"))
        expectLikeCapture("get-draft-recipient", try bob.request("GET", "/fmsg/\(draft)"))
        expectLikeCapture("data-draft-recipient", try bob.request("GET", "/fmsg/\(draft)/data"))
        expectLikeCapture("read-not-found", try bob.request("POST", "/fmsg/\(draft)/read"))

        let closed = try TestHost { $0.showsDraftsToRecipients = false }
        let hidden = try WireClient(closed, "alice").draft(to: ["@bob@example.com"])
        let other = try WireClient(closed, "bob")
        #expect(try other.list().isEmpty)
        #expect(try other.request("GET", "/fmsg/\(hidden)").status == 403)
    }

    @Test func messagesAreForParticipants() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let carol = try WireClient(host, "carol")
        let id = try alice.send(to: ["@bob@example.com"])
        let hash = try #require(try alice.message(id)?[Field.sha256]?.string)
        expectLikeCapture("get-forbidden", try carol.request("GET", "/fmsg/\(id)"))
        expectLikeCapture("get-by-sha256-forbidden", try carol.request("GET", "/fmsg/\(hash)"))
        #expect(try carol.request("GET", "/fmsg/\(id)/data").status == 403)
        expectLikeCapture("get-not-found", try carol.request("GET", "/fmsg/999999"))
        let unknown = String(repeating: "ab", count: 32)
        expectLikeCapture("get-by-sha256-unknown", try carol.request("GET", "/fmsg/\(unknown)"))
        #expect(try alice.request("GET", "/fmsg/\(hash)").json == alice.message(id))
        for (name, path) in [
            ("abc", "abc"), ("float", "1.0"), ("huge", "99999999999999999999"), ("neg", "-1"),
        ] {
            expectLikeCapture("get-bad-id-\(name)", try alice.request("GET", "/fmsg/\(path)"))
        }
        for path in ["0", "+1", "%31x", "1%00", "00"] {
            #expect(try alice.request("GET", "/fmsg/\(path)").status == 400, "\(path)")
        }
    }

    @Test func addressesThatUnicodeHoldsEquivalentAreNotOne() throws {
        // U+F900 is canonically equivalent to U+8C48, and each folds to itself.
        let host = try TestHost()
        let (first, second) = ("@\u{F900}@example.com", "@\u{8C48}@example.com")
        let firstKey = try host.host.addUser(first)
        let secondKey = try host.host.addUser(second)
        let id = try WireClient(host, "alice").send(to: [first])
        #expect(try WireClient(host, "first", key: firstKey).list().count == 1)
        let other = try WireClient(host, "second", key: secondKey)
        #expect(try other.list().isEmpty)
        #expect(try other.request("GET", "/fmsg/\(id)").status == 403)
    }

    @Test func theFirstReadingStands() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let id = try alice.send(to: [bob.address, "@carol@example.com"])
        let first = try bob.request("POST", "/fmsg/\(id)/read")
        expectLikeCapture("read-ok", first)
        #expect(try bob.request("POST", "/fmsg/\(id)/read").json == first.json)
        #expect(try bob.message(id)?[Field.read]?.bool == true)
        #expect(try bob.message(id)?[Field.timeRead] == first.json?[Field.timeRead])
        #expect(try WireClient(host, "carol").message(id)?[Field.read]?.bool == false)
        expectLikeCapture("read-sender", try alice.request("POST", "/fmsg/\(id)/read"))
        expectLikeCapture("read-not-found", try bob.request("POST", "/fmsg/999999/read"))
    }

    @Test func bodiesAreServedByTheirType() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        for (name, type, text) in [
            ("data-type-csv", "text/csv", "{\"a\":1}"),
            ("data-type-json", "application/json", "{\"a\":1}"),
            ("data-type-octet", "application/octet-stream", "{\"a\":1}"),
            ("data-type-bad", "nonsense", "hello"),
            ("data-type-charset", "text/plain;charset=UTF-8", "h\u{e9}llo \u{2713}"),
        ] {
            let id = try alice.draft(to: [], text, [Field.type: .string(type)])
            let answer = try alice.request("GET", "/fmsg/\(id)/data")
            #expect(answer.status == 200)
            #expect(answer.header("Content-Disposition")?.hasPrefix("attachment") == true)
            expectLikeCapture(name, answer)
        }
        let id = try alice.draft(to: [], "x", [Field.type: .string("text/x\r\nSet-Cookie: a")])
        let answer = try alice.request("GET", "/fmsg/\(id)/data")
        #expect(answer.header("Set-Cookie") == nil)
        expectLikeCapture("data-not-found", try alice.request("GET", "/fmsg/999999/data"))
    }

    @Test func aPreviewIsCutAtACodePoint() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let text = "x" + String(repeating: "\u{e9}", count: 1000)
        let id = try alice.draft(to: [], text)
        let preview = try #require(try alice.message(id)?[Field.shortText]?.string)
        #expect(preview.utf8.count == 767)
        #expect(text.hasPrefix(preview))
        let exact = String(repeating: "y", count: 768)
        #expect(try alice.message(alice.draft(to: [], exact))?[Field.shortText]?.string == exact)
        let json = try alice.draft(to: [], "{}", [Field.type: .string("application/json")])
        expectLikeCapture("get-type-json", try alice.request("GET", "/fmsg/\(json)"))
        #expect(try alice.message(json)?[Field.shortText] == nil)
    }
}
