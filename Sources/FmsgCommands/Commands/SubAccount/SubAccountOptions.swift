import CommandLineTool
import FmsgCore

/// What the commands of `sub-account` have in common.
enum SubAccountOptions {
    static let agent = Operand.required(
        "AGENT", .agent, "Its name, as in bot of @alice_bot@example.com")
    static let expires = Option.value(
        "expires", .instant,
        "When the key ends: RFC 3339, a date (UTC), or a span such as 30d (default: 90d)")

    private static let standardSpan = 90 * 86_400.0

    static let whoMay = """
        It takes the owner's token of an identity provider, in FMSG_TOKEN or by login; an API \
        key may not.
        """

    static let shape =
        #"{"agent", "addr", "grant_type", "key_id", "allowed_cidrs", "key_expires_at"}"#

    /// The end of a key as RFC 3339.
    static func expiry(
        _ invocation: Invocation, _ context: CommandContext
    ) throws(UsageError) -> String {
        let now = context.runtime.time.now
        let end = (invocation[expires] ?? .age(standardSpan)).seconds(after: now)
        guard end > now else {
            throw invocation.usageError("--expires: that is in the past")
        }
        guard let text = TimeText.wholeSecond(end) else {
            throw invocation.usageError("--expires: that is beyond the year 9999")
        }
        return text
    }

    static func write(_ grant: SubAccount, in context: CommandContext) throws {
        guard !context.wantsJSON else { return try context.output.write(grant.json) }
        try context.output.write(
            fields: GrantColumn.allCases.map { ($0.rawValue, $0.cell(of: grant)) })
    }
}

extension ValueType where Element == String {
    /// The name of an agent (web API, section 4).
    static var agent: Self {
        ValueType("AGENT", kind: .text) { text throws(InvalidValue) in
            let isName =
                text.utf8.count <= 64 && !text.contains("_") && !text.contains("@")
                && (try? FmsgAddress("@o_\(text)@d")) != nil
            guard isName else {
                throw InvalidValue(
                    "expected 1 to 64 letters, digits, hyphens and dots, without underscores")
            }
            return text
        }
    }
}

extension ValueType where Element == CIDR {
    /// A network, or a single address.
    static var cidr: Self {
        ValueType("CIDR", kind: .text) { text throws(InvalidValue) in
            guard let cidr = CIDR(text) else {
                throw InvalidValue("expected a network such as 203.0.113.0/24 or 2001:db8::/32")
            }
            return cidr
        }
    }
}
