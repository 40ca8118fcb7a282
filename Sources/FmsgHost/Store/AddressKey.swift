import FmsgCore

/// The folded form of an address, under which the host knows it.
///
/// Keys are compared by their bytes: `String` holds some equal that the standard holds apart.
struct AddressKey: Sendable, Hashable {
    let text: String

    init(_ address: String) { text = addressKey(address) }

    /// A key as it was stored.
    init(stored text: String) { self.text = text }

    /// What follows the second `@`.
    var domain: String {
        text.lastIndex(of: "@").map { String(text[text.index(after: $0)...]) } ?? ""
    }

    static func == (left: AddressKey, right: AddressKey) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension String {
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
