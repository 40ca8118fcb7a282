import FmsgCore
import TestSupport
import Testing

@testable import FmsgHost

@Suite struct AttachmentTests {
    private func files(_ host: TestHost) -> [String] {
        Files.names(in: host.dataFolder + "/attachments")
    }

    @Test func filesGoUpAndDown() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let id = try alice.draft(to: [bob.address])
        expectLikeCapture("attach-ok", try alice.attach(id, "a.txt", Array("attachment one".utf8)))
        let content: [UInt8] = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try alice.attach(id, "a.txt", content).json?[Field.size]?.int64 == 200_000)
        #expect(try alice.attach(id, "empty.bin", []).json?[Field.size]?.int64 == 0)
        #expect(files(host).count == 2, "the replaced file is gone")
        #expect(try alice.request("POST", "/fmsg/\(id)/send").status == 200)
        let answer = try bob.request("GET", "/fmsg/\(id)/attach/a.txt")
        #expect(answer.body == content)
        #expect(answer.header("Content-Disposition") == "attachment; filename=\"a.txt\"")
        #expect(try bob.request("GET", "/fmsg/\(id)/attach/empty.bin").body.isEmpty)
        let listed = try bob.message(id)?[Field.attachments]
        let expected = """
            [{"size":200000,"filename":"a.txt"},{"size":0,"filename":"empty.bin"}]
            """
        #expect(listed?.text == expected)
    }

    @Test func aPartOfADownloadCanBeHad() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let id = try alice.draft(to: [], "0123456789")
        try alice.attach(id, "a", Array("0123456789".utf8))
        for path in ["/fmsg/\(id)/attach/a", "/fmsg/\(id)/data"] {
            for (range, part, content) in [
                ("bytes=2-4", "bytes 2-4/10", "234"), ("bytes=8-", "bytes 8-9/10", "89"),
                ("bytes=-3", "bytes 7-9/10", "789"), ("bytes=5-99", "bytes 5-9/10", "56789"),
                ("bytes=-99", "bytes 0-9/10", "0123456789"),
                ("bytes=0-18446744073709551615", "bytes 0-9/10", "0123456789"),
            ] {
                let answer = try alice.request("GET", path, headers: [Header("Range", range)])
                #expect(answer.status == 206, "\(range)")
                #expect(answer.header("Content-Range") == part)
                #expect(answer.text == content)
            }
            for range in ["bytes=10-", "bytes=-0", "bytes=18446744073709551615-"] {
                let answer = try alice.request("GET", path, headers: [Header("Range", range)])
                #expect(answer.status == 416, "\(range)")
                #expect(answer.header("Content-Range") == "bytes */10")
            }
            for range in ["bytes=4-2", "bytes=a-b", "bytes=-", "bytes=1-2,4-5", "lines=1-2"] {
                let answer = try alice.request("GET", path, headers: [Header("Range", range)])
                #expect(answer.status == 200, "\(range)")
                #expect(answer.text == "0123456789")
            }
        }
    }

    @Test func namesAreKeptButForTheirPath() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let id = try alice.draft(to: ["@bob@example.com"])
        for (given, kept, path) in [
            ("../../etc/pass wd.txt", "pass wd.txt", "pass%20wd.txt"),
            ("r\u{e9}sum\u{e9} x.txt", "r\u{e9}sum\u{e9} x.txt", "r%C3%A9sum%C3%A9%20x.txt"),
            ("sla%2Fsh#?.txt", "sla%2Fsh#?.txt", "sla%252Fsh%23%3F.txt"),
        ] {
            let answer = try alice.attach(id, given, Array(kept.utf8))
            #expect(answer.json?[Field.filename]?.string == kept)
            #expect(try alice.request("GET", "/fmsg/\(id)/attach/\(path)").text == kept)
        }
        for name in ["..", ".", "/", "a/..", String(repeating: "n", count: 256)] {
            #expect(try alice.attach(id, name, [1]).status == 400, "\(name)")
        }
        expectLikeCapture(
            "attach-download-traversal",
            try alice.request("GET", "/fmsg/\(id)/attach/..%2F..%2Fetc%2Fpasswd"))
        #expect(files(host).count == 3)
    }

    @Test func equivalentNamesAreTwoFiles() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let id = try alice.draft(to: [])
        #expect(try alice.attach(id, "\u{e9}", Array("composed".utf8)).status == 201)
        #expect(try alice.attach(id, "e\u{301}", Array("decomposed".utf8)).status == 201)
        #expect(try alice.request("GET", "/fmsg/\(id)/attach/%C3%A9").text == "composed")
        #expect(try alice.request("GET", "/fmsg/\(id)/attach/e%CC%81").text == "decomposed")
    }

    @Test func attachingIsRefusedAsCaptured() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let bob = try WireClient(host, "bob")
        let id = try alice.draft(to: [bob.address])
        expectLikeCapture("attach-wrong-field", try alice.attach(id, "a.txt", [1], field: "upload"))
        #expect(try alice.request("POST", "/fmsg/\(id)/attach", json: [:]).status == 400)
        #expect(try bob.attach(id, "a.txt", [1]).status == 403)
        #expect(try alice.attach(999, "a.txt", [1]).status == 404)
        expectLikeCapture(
            "attach-delete-missing", try alice.request("DELETE", "/fmsg/\(id)/attach/none.txt"))
        #expect(try alice.attach(id, "a.txt", [1]).status == 201)
        #expect(try alice.attach(id, "b.txt", [2]).status == 201)
        #expect(try bob.request("DELETE", "/fmsg/\(id)/attach/a.txt").status == 403)
        #expect(try alice.request("DELETE", "/fmsg/\(id)/attach/b.txt").status == 204)
        #expect(try alice.request("POST", "/fmsg/\(id)/send").status == 200)
        expectLikeCapture("attach-to-sent", try alice.attach(id, "late.txt", [1]))
        expectLikeCapture(
            "attach-delete-sent", try alice.request("DELETE", "/fmsg/\(id)/attach/a.txt"))
        expectLikeCapture(
            "attach-download-missing", try bob.request("GET", "/fmsg/\(id)/attach/none.txt"))
        let carol = try WireClient(host, "carol")
        expectLikeCapture(
            "attach-download-forbidden", try carol.request("GET", "/fmsg/\(id)/attach/a.txt"))
        #expect(files(host).count == 1)
    }

    @Test func sizesHaveTheirLimits() throws {
        let host = try TestHost {
            $0.limits.attachment = 1000
            $0.limits.message = 2000
        }
        let alice = try WireClient(host, "alice")
        let id = try alice.draft(to: ["@bob@example.com"], "0123456789")
        func attach(_ name: String, _ size: Int) throws -> TransportResponse {
            try alice.attach(id, name, [UInt8](repeating: 7, count: size))
        }
        #expect(try attach("1", 1000).status == 201)
        expectLikeCapture("attach-oversize", try attach("2", 1001))
        expectLikeCapture("attach-oversize", try attach("2", 1 << 20))
        expectLikeCapture("attach-total-exceeded", try attach("2", 991))
        #expect(try attach("2", 990).status == 201)
        #expect(try attach("1", 1000).status == 201, "what it replaces does not count")
        let larger = alice.draftBody(to: ["@bob@example.com"], "01234567890")
        #expect(try alice.request("PUT", "/fmsg/\(id)", json: larger).status == 413)
        #expect(files(host).count == 2)
    }

    @Test func aBrokenUploadLeavesNothing() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let id = try alice.draft(to: ["@bob@example.com"])
        do {
            let connection = try WireConnection(port: host.port)
            let head = """
                POST /fmsg/\(id)/attach HTTP/1.1\r\nHost: test\r\n\
                Authorization: Bearer \(alice.token)\r\nContent-Length: 5000\r\n\
                Content-Type: multipart/form-data; boundary=B\r\nExpect: 100-continue\r\n\r\n
                """
            try connection.write(Array(head.utf8))
            _ = try connection.readSome()
            let start =
                "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n"
            try connection.write(Array((start + String(repeating: "x", count: 2000)).utf8))
        }
        // A host stops only when it is done with every connection.
        host.host.stop()
        #expect(files(host).isEmpty)
    }

    @Test func aDeletedDraftTakesItsFilesAlong() throws {
        let host = try TestHost()
        let alice = try WireClient(host, "alice")
        let id = try alice.draft(to: ["@bob@example.com"])
        try alice.attach(id, "a", [1])
        try alice.attach(id, "b", [2])
        #expect(files(host).count == 2)
        #expect(try alice.request("DELETE", "/fmsg/\(id)").status == 204)
        #expect(files(host).isEmpty)
    }
}
