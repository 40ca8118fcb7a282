/// What counts as one emoji (web API, section 6; UTS #51).
public enum Emoji {
    /// The most bytes of UTF-8 that a reaction's emoji may have.
    public static let maximumBytes = 64

    /// Whether `text` is exactly one emoji sequence: a single grapheme cluster that is shown as
    /// a picture by itself or by a variation selector, a modifier, a keycap, a flag or a joiner.
    ///
    /// It asks for the form of a valid sequence, not for a place in a table, so that an emoji
    /// newer than this program still counts.
    public static func isSingle(_ text: String) -> Bool {
        guard text.utf8.count <= maximumBytes, text.count == 1 else { return false }
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.first else { return false }
        if isRegionalIndicator(first) {
            return scalars.count == 2 && isRegionalIndicator(scalars[1])
        }
        if isKeycapBase(first) {
            return scalars.last == "\u{20E3}" && scalars.count <= 3
        }
        guard first.properties.isEmoji else { return false }
        return first.properties.isEmojiPresentation
            || scalars.dropFirst().contains {
                $0 == "\u{FE0F}" || $0.properties.isEmojiModifier
            }
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    private static func isKeycapBase(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "#" || scalar == "*" || ("0"..."9").contains(scalar)
    }
}
