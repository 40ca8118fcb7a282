import FmsgCore
import Testing

@Suite struct JSONTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-1", "9223372036854775807", "18446744073709551616",
        "1796005618.013014", "1e400", "\"\"", "[]", "{}", #"[1,[2,{"a":null}]]"#,
        #"{"b":1,"a":[true,"x"]}"#, #""é👍""#,
    ])
    func whatIsReadIsWrittenTheSame(_ text: String) throws {
        #expect(try JSON.read(text).text == text)
    }

    @Test func escapesAreRead() throws {
        let value = try JSON.read(#""\u003c\"\\\/\b\f\n\r\t\u00e9\ud83d\udc4d""#)
        #expect(value.string == "<\"\\/\u{8}\u{c}\n\r\té👍")
    }

    @Test(arguments: [#""\ud83d""#, #""\udc4d""#, #""\ud83dx""#])
    func aLoneSurrogateIsReplaced(_ text: String) throws {
        #expect(try JSON.read(text).string?.contains("\u{FFFD}") == true)
    }

    @Test func aSurrogateBeforeAnotherEscapeLosesNothing() throws {
        #expect(try JSON.read(#""\ud83d\u0041""#).string == "\u{FFFD}A")
    }

    @Test func malformedUTF8IsReplaced() throws {
        #expect(try JSON.read([0x22, 0x61, 0xFF, 0x22]).string == "a\u{FFFD}")
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1,}", "{a:1}", "tru",
        "nulL", "01", "1.", ".5", "+1", "1e", "-", "\"", "\"\\", "\"\\x\"", "\"\\u12\"",
        "\"\u{1}\"",
        "1 2", "[1 2]", "<html>", "NaN", "\"a\nb\"", "}", ",",
    ])
    func malformedTextIsRefused(_ text: String) {
        #expect(throws: JSONError.self) { try JSON.read(text) }
    }

    @Test func everyCutOfATextIsRefused() throws {
        let whole = Array(#"{"a":[1,-2.5e3,"x\u00e9"],"b":{"c":null,"d":true}}"#.utf8)
        for length in 0..<whole.count {
            #expect(throws: JSONError.self) { try JSON.read(Array(whole.prefix(length))) }
        }
        #expect(try JSON.read(whole).object?["b"]?.object?["d"] == .bool(true))
    }

    @Test func deepNestingIsRefusedWithoutATrap() {
        let deep = String(repeating: "[", count: 1_000_000)
        #expect(throws: JSONError.self) { try JSON.read(deep) }
    }

    @Test func harmfulCharactersAreEscapedWhenWritten() throws {
        let text = "\u{1B}]0;x\u{7}\u{9B}\u{202E}\u{2066}\u{2028}\u{7F}é"
        let written = JSON.string(text).text
        #expect(written == #""\u001b]0;x\u0007\u009b\u202e\u2066\u2028\u007fé""#)
        #expect(try JSON.read(written).string == text)
    }

    @Test func numbersAreExact() {
        #expect(JSON.number("9223372036854775807").int64 == Int64.max)
        #expect(JSON.number("9223372036854775808").int64 == nil)
        #expect(JSON.number("1.5").int64 == nil)
        #expect(JSON.double(.infinity) == .null)
        #expect(JSON.double(2).text == "2")
    }

    @Test func anObjectKeepsItsOrder() {
        var object: JSONObject = ["b": .null, "a": .null]
        object["c"] = .bool(true)
        object["b"] = .bool(false)
        object.prepend("id", .integer(1))
        object["a"] = nil
        #expect(JSON.object(object).text == #"{"id":1,"b":false,"c":true}"#)
    }

    @Test func theLastOfTwoFieldsCounts() throws {
        #expect(try JSON.read(#"{"a":1,"a":2}"#).object?["a"]?.int64 == 2)
    }
}
