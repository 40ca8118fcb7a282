import Testing

@testable import CommandLineTool

struct DisplayTextTests {
    static let escapes: [(String, String)] = [
        ("plain é 日本 👍🏽", "plain é 日本 👍🏽"), ("\u{1B}]0;x\u{07}", "\\x1b]0;x\\x07"),
        ("\u{9B}31m", "\\x9b31m"), ("a\u{202E}b", "a\\u202eb"),
        ("a\tb\nc\rd", "a\\x09b\\x0ac\\x0dd"),
        ("\0\u{7F}\u{2028}", "\\x00\\x7f\\u2028"), ("back\\slash", "back\\slash"), ("", ""),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
    ]

    @Test(arguments: escapes)
    func harmfulCharactersAreWrittenOut(_ text: String, _ escaped: String) {
        #expect(DisplayText.escape(text) == escaped)
    }

    @Test func lineFeedsStayOnlyWhereAsked() {
        #expect(DisplayText.escape("a\nb\u{1B}", keepsLines: true) == "a\nb\\x1b")
        #expect(DisplayText.escape("a\r\nb", keepsLines: true) == "a\\x0d\nb")
    }

    @Test func fieldsOfATabSeparatedLine() {
        #expect(
            DisplayText.field("a\tb\nc\\d\re\u{1B}\u{202E}é") == "a\\tb\\nc\\\\d\\re\\x1b\\u202eé")
        #expect(DisplayText.record(["1", "", "a\tb"]) == "1\t\ta\\tb")
        #expect(DisplayText.field("a\r\nb") == "a\\r\\nb")
    }

    static let widths: [(String, Int)] = [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｶﾅ", 2), ("Ａ", 2), ("한글", 4),
        ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("\u{200B}", 0),
        ("ไทย", 3), ("שלום", 4), ("…", 1), ("—", 1), ("🀄", 2), ("\u{1112}\u{1161}", 2),
        ("a\u{AD}", 1),
    ]

    @Test(arguments: widths)
    func widthInColumns(_ text: String, _ width: Int) {
        #expect(DisplayText.width(text) == width)
    }

    static let cuts: [(String, Int, String)] = [
        ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""),
        ("hello", -3, ""), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
        ("日本語", 3, "日…"), ("日本語", 2, "…"), ("éé", 2, "éé"), ("👩‍👩‍👧👍🏽", 3, "👩‍👩‍👧…"), ("", 0, ""),
    ]

    @Test(arguments: cuts)
    func cutToAWidth(_ text: String, _ width: Int, _ cut: String) {
        #expect(DisplayText.cut(text, width: width) == cut)
        #expect(DisplayText.width(DisplayText.cut(text, width: width)) <= max(0, width))
    }

    @Test func padToAWidth() {
        #expect(DisplayText.pad("日", width: 4) == "日  ")
        #expect(DisplayText.pad("long", width: 2) == "long")
    }

    @Test func wrapAtSpaces() {
        #expect(DisplayText.wrap("one two three", width: 7) == ["one two", "three"])
        #expect(DisplayText.wrap("one\ntwo", width: 20) == ["one two"])
        #expect(
            DisplayText.wrap("a\n\nb\n  code   x\nc", width: 9) == [
                "a", "", "b", "  code   x", "c",
            ])
        #expect(DisplayText.wrap("longword x", width: 3) == ["longword", "x"])
        #expect(DisplayText.wrap("日本 日本", width: 8) == ["日本", "日本"])
        #expect(DisplayText.wrap("", width: 8) == [""])
    }
}

struct StyleTests {
    static let decisions: [(ColorChoice, Environment, Bool, Bool)] = [
        (.auto, ["TERM": "xterm"], true, true), (.auto, ["TERM": "xterm"], false, false),
        (.auto, [:], true, false), (.auto, ["TERM": "dumb"], true, false),
        (.auto, ["TERM": "xterm", "NO_COLOR": "1"], true, false),
        (.auto, ["TERM": "xterm", "NO_COLOR": ""], true, true),
        (.auto, ["CLICOLOR_FORCE": "1"], false, true),
        (.auto, ["CLICOLOR_FORCE": "0"], false, false),
        (.auto, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false),
        (.always, ["NO_COLOR": "1", "TERM": "dumb"], false, true),
        (.never, ["CLICOLOR_FORCE": "1", "TERM": "xterm"], true, false),
    ]

    @Test(arguments: decisions.indices)
    func oneDecision(_ index: Int) {
        let (choice, environment, isTerminal, isOn) = Self.decisions[index]
        #expect(Style.decide(choice, environment, isTerminal: isTerminal).isOn == isOn)
    }

    @Test func looksAreWrittenOnlyWhenOn() {
        #expect(Style(isOn: true).apply(.bold, .red, to: "x") == "\u{1B}[1;31mx\u{1B}[0m")
        #expect(Style.plain.apply(.bold, to: "x") == "x")
        #expect(Style(isOn: true).apply(.bold, to: "") == "")
    }
}
