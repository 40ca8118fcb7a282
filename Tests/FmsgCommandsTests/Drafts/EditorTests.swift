import CommandLineTool
import FmsgCore
import FmsgHost
import TestSupport
import Testing

@testable import FmsgCommands

/// Messages that are written in an editor: a real one, which is a line of sed or sh.
@Suite struct EditorTests {
    /// Alice at a terminal, with an editor and a folder for what is kept.
    private func alice(_ host: TestHost, _ rig: borrowing FileRig, editor: String) -> CommandLine {
        var line = CommandLine(host, as: "alice")
        line.terminals = [.input, .output, .error]
        line.environment["EDITOR"] = editor
        line.environment["PATH"] = "/usr/bin:/bin"
        line.environment["FMSG_STATE_DIR"] = rig.path
        return line
    }

    /// The one text that is kept; nil when none is.
    private func kept(_ rig: borrowing FileRig) throws -> String? {
        let folder = rig.path("unsent")
        guard try rig.files.status(folder) != nil else { return nil }
        let names = try rig.files.list(folder)
        #expect(names.count <= 1)
        guard let name = names.first else { return nil }
        #expect(try rig.files.status("\(folder)/\(name)")?.permissions == 0o600)
        return String(
            decoding: try rig.files.read("\(folder)/\(name)", limit: 1 << 20), as: UTF8.self)
    }

    @Test func aTextIsWrittenAndSent() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let editor =
            #"sed -i -e 's/^Topic:.*/Topic: Plan: A/' -e 's/^Flags:.*/Flags: important/' -e '/^----/i Hello,\nBob.'"#
        let sent = await alice(host, rig, editor: editor).run(
            "send", "@bob@example.com", "--json")
        #expect(sent.exitCode == .done, "\(sent.err)")
        let bob = CommandLine(host, as: "bob")
        let message = try await bob.run("show", "-1", "--json").json
        #expect(message["body"]?["text"] == .string("Hello,\nBob."))
        #expect(message["topic"] == .string("Plan: A") && message["important"] == .bool(true))
        #expect(try kept(rig) == nil)
    }

    @Test func withoutATextNothingIsSent() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        for editor in ["true", "sed -i 's/^Topic:/Topic: x/'"] {
            let run = await alice(host, rig, editor: editor).run("send", "@bob@example.com")
            #expect(run.exitCode == .failed && run.err.contains("there is no text"))
        }
        #expect(try kept(rig) == nil)
        // An editor needs a person.
        let run = await alice(host, rig, editor: "true").run(
            "send", "@bob@example.com", "--no-input")
        #expect(run.exitCode == .usage)
    }

    @Test func anEditorThatFailsSendsNothing() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let missing = await alice(host, rig, editor: "no-such-editor").run(
            "send", "@bob@example.com")
        #expect(missing.exitCode == .failed && missing.err.contains("no-such-editor"))
        #expect(try kept(rig) == nil)
        let failing = await alice(
            host, rig, editor: #"sh -c 'echo more >>"$0"; exit 3'"#
        ).run("send", "@bob@example.com")
        #expect(failing.exitCode == .failed && failing.err.contains("exit status 3"))
        #expect(try kept(rig)?.contains("more") == true)
        #expect(await CommandLine(host, as: "bob").run("inbox").out.isEmpty)
    }

    @Test func aTextThatCannotBeSentIsKept() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let proxy = try FaultProxy(to: host.url) { request, _ in
            request.path.hasSuffix("/send")
                ? .answered(.json(#"{"error":"not now"}"#, status: 403)) : .none
        }
        defer { proxy.stop() }
        var alice = alice(host, rig, editor: "sed -i '/^----/i precious'")
        alice.environment["FMSG_API_URL"] = proxy.url
        let run = await alice.run("send", "@bob@example.com")
        #expect(run.exitCode == .refused)
        #expect(run.err.contains("the text is kept in \(rig.path("unsent/"))"))
        #expect(try kept(rig) == "precious")
        // What is said helps.
        let path = run.err.split(separator: " ").first { $0.hasPrefix(rig.path) }?.dropLast()
        alice.environment["FMSG_API_URL"] = host.url
        let again = await alice.run("send", "@bob@example.com", "-F", String(path ?? ""))
        #expect(again.exitCode == .done, "\(again.err)")
    }

    @Test func headingsThatAreWrongAreTold() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let run = await alice(
            host, rig, editor: "sed -i -e '/^----/i text' -e 's/^To:.*/To: bob/'"
        ).run("send", "@bob@example.com")
        #expect(run.exitCode == .usage && run.err.contains("line 1: bob: "), "\(run.err)")
        #expect(try kept(rig)?.contains("text") == true)
        let noText = await alice(
            host, rig, editor: #"sh -c 'printf "To: @b@c\n\n\377" >"$0"'"#
        ).run("send", "@bob@example.com")
        #expect(noText.exitCode == .usage && noText.err.contains("UTF-8"))
    }

    @Test func aReplyAndADraftAreEdited() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        let id = try await CommandLine(host, as: "bob").send("@alice@example.com", "Well?")
        let writing = alice(host, rig, editor: "sed -i '/^----/i Yes.'")
        let reply = await writing.run("reply", id)
        #expect(reply.exitCode == .done, "\(reply.err)")
        let made = await writing.run("draft", "create", "@bob@example.com", "--json")
        let draft = try #require(try made.json["id"]?.int64)
        let edited = await alice(
            host, rig, editor: "sed -i -e 's/Yes/No/' -e 's/^To:.*/&, @carol@example.com/'"
        )
        .run("draft", "edit", "\(draft)")
        #expect(edited.exitCode == .done, "\(edited.err)")
        let shown = try await writing.run("show", "\(draft)", "--json").json
        #expect(shown["body"]?["text"] == .string("No."))
        #expect(shown["to"]?.array?.count == 2)
        host.requests.clear()
        let untouched = await alice(host, rig, editor: "true").run("draft", "edit", "\(draft)")
        #expect(untouched.exitCode == .done && untouched.err.contains("was not changed"))
        #expect(!host.requests.all.contains { $0.hasPrefix("PUT") })
        #expect(try kept(rig) == nil)
    }

    /// In `id=$(fmsg send …)` the editor must not draw into the data.
    @Test func whatTheEditorPrintsIsNoData() async throws {
        let host = try TestHost()
        defer { host.stop() }
        let rig = try FileRig()
        var line = alice(
            host, rig,
            editor:
                #"sh -c 'test "$(readlink /proc/$$/fd/1)" = "$(readlink /proc/$$/fd/2)" && sed -i "/^----/i x" "$0"'"#
        )
        line.terminals = [.input, .error]
        let run = await line.run("send", "@bob@example.com")
        #expect(run.exitCode == .done, "\(run.err)")
        #expect(run.out == "1\n")
    }
}

/// The text that an editor is given and leaves.
@Suite struct EditableMessageTests {
    private let message = NewMessage(
        to: ["@a@example.com", "@b@example.com"], topic: "T", text: "one\n\ntwo\n",
        isNoReply: true)

    @Test func whatIsLeftAloneIsTheSame() throws {
        let type = NewMessage(to: ["@a@b"], type: "text/x;y=\"z\"", text: "")
        let odd = NewMessage(
            to: ["@a@b"], topic: " tab\tand\nline ", text: "---- x\n\n\n")
        for message in [message, type, odd] {
            let original = EditableMessage(message)
            let edited = try EditableMessage(original.document, original: original)
            #expect(edited == original)
            #expect(edited.applied(to: message) == message)
        }
    }

    @Test func headingsAndTextAreRead() throws {
        let document =
            "to : @c@example.com  @d@example.com,\nFLAGS:terminal\n\ntext: no heading\n\n"
        let edited = try EditableMessage(document, original: EditableMessage(message))
        #expect(edited.to == ["@c@example.com", "@d@example.com"])
        #expect(edited.topic == "T" && edited.flags == [.terminal])
        #expect(edited.text == "text: no heading")
        let blank = try EditableMessage(
            "\n\n \n  indented\n\nx\n\t\n", original: EditableMessage(message))
        #expect(blank.text == "  indented\n\nx")
        let unparted = try EditableMessage(
            "To: @c@d\nHello there: you\n\nx", original: EditableMessage(message))
        #expect(unparted.to == ["@c@d"] && unparted.text == "Hello there: you\n\nx")
        let bare = try EditableMessage("", original: EditableMessage(message))
        #expect(bare.text.isEmpty && bare.to == message.to)
        let windows = try EditableMessage(
            "To: @c@d\r\n\r\na\r\nb\r\n", original: EditableMessage(message))
        #expect(windows.to == ["@c@d"] && windows.text == "a\r\nb\r")
    }

    @Test(arguments: [
        ("Too: @a@b\n\nx", 1, "heading"), ("To: @a@b\nCc: @c@d\n\nx", 2, "heading"),
        ("To: nobody\n\nx", 1, "nobody"), ("Topic: x\nFlags: urgent\n\nx", 2, "no flag"),
    ])
    func aMistakeIsToldWithItsLine(_ document: String, _ line: Int, _ words: String) {
        let error = #expect(throws: EditingError.self) {
            try EditableMessage(document, original: EditableMessage(message))
        }
        #expect(error?.line == line && error?.reason.contains(words) == true)
    }

    @Test func aReplyHasNoTopic() throws {
        var reply = message
        reply.topic = ""
        reply.parent = ParentReference(id: 1)
        let original = EditableMessage(reply)
        #expect(!original.document.contains("Topic"))
        #expect(throws: EditingError.self) {
            try EditableMessage("Topic: x\n\ny", original: original)
        }
        #expect(try EditableMessage("Topic:\n\ny", original: original).topic == nil)
    }
}
