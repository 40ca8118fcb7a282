import FmsgCore

extension ValueType where Element == FmsgAddress {
    /// An address `@user@domain`.
    public static var address: Self {
        ValueType("ADDRESS", kind: .address) { text throws(InvalidValue) in
            do throws(FmsgAddressError) {
                return try FmsgAddress(text)
            } catch {
                throw InvalidValue(error.reason)
            }
        }
    }
}
