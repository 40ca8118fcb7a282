/// The version of the suite, in one place.
public enum FmsgVersion {
    public static let number = "0.1.0"
}
