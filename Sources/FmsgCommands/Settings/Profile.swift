import FmsgCore

/// One identity at one host, as it was logged in.
struct Profile: Sendable, Equatable {
    let name: String
    let apiURL: String
    let credential: Credential
    /// The address that the host named; nil where it is not known.
    let address: String?
}

/// The names of the fields in `credentials.json`, and in the `auth.json` of the public Go client.
private enum ProfileField {
    static let version = "version"
    static let defaultProfile = "default"
    static let profiles = "profiles"
    static let apiURL = "api_url"
    static let apiKey = "api_key"
    static let address = "address"
    static let user = "user"
    static let accessToken = "access_token"
}

/// All profiles, as `credentials.json` holds them.
struct Profiles: Sendable, Equatable {
    private(set) var all: [Profile] = []
    private(set) var defaultName: String?

    /// The profile of that name.
    subscript(name: String) -> Profile? { all.first { $0.name == name } }

    /// Puts a profile in the place of one of the same name, and makes it the default.
    mutating func add(_ profile: Profile) {
        if let index = all.firstIndex(where: { $0.name == profile.name }) {
            all[index] = profile
        } else {
            all.append(profile)
        }
        defaultName = profile.name
    }

    /// Removes a profile; another one becomes the default where it was.
    mutating func remove(_ name: String) {
        all.removeAll { $0.name == name }
        if defaultName == name { defaultName = all.first?.name }
    }

    init() {}

    /// - Throws: ``JSONError`` or ``UnreadableProfiles``.
    init(credentials bytes: [UInt8]) throws {
        let document = try JSON.read(bytes).object
        guard let profiles = document?[ProfileField.profiles]?.object else {
            throw UnreadableProfiles()
        }
        for (name, value) in profiles.fields {
            guard let fields = value.object, let url = fields[ProfileField.apiURL]?.string,
                let key = fields[ProfileField.apiKey]?.string
            else { throw UnreadableProfiles() }
            let address = fields[ProfileField.address]?.string
            all.append(
                Profile(name: name, apiURL: url, credential: .apiKey(key), address: address))
        }
        defaultName = document?[ProfileField.defaultProfile]?.string
    }

    /// The one profile of the public Go client's `auth.json`.
    /// - Throws: ``JSONError`` or ``UnreadableProfiles``.
    init(goClient bytes: [UInt8]) throws {
        guard let fields = try JSON.read(bytes).object,
            let url = fields[ProfileField.apiURL]?.string, !url.isEmpty
        else { throw UnreadableProfiles() }
        let key = fields[ProfileField.apiKey]?.string.flatMap { $0.isEmpty ? nil : $0 }
        let token = fields[ProfileField.accessToken]?.string.flatMap { $0.isEmpty ? nil : $0 }
        guard let credential = key.map(Credential.apiKey) ?? token.map(Credential.token) else {
            throw UnreadableProfiles()
        }
        let user = fields[ProfileField.user]?.string
        let name = Self.name(for: user ?? "")
        all = [Profile(name: name, apiURL: url, credential: credential, address: user)]
        defaultName = name
    }

    /// The bytes of `credentials.json`: they hold keys.
    var credentials: [UInt8] {
        var profiles = JSONObject()
        for profile in all {
            guard case .apiKey(let key) = profile.credential else { continue }
            profiles[profile.name] = .object([
                ProfileField.apiURL: .string(profile.apiURL), ProfileField.apiKey: .string(key),
                ProfileField.address: profile.address.map(JSON.string) ?? .null,
            ])
        }
        let document: JSONObject = [
            ProfileField.version: .integer(1),
            ProfileField.defaultProfile: defaultName.map(JSON.string) ?? .null,
            ProfileField.profiles: .object(profiles),
        ]
        return JSON.object(document).bytes + [UInt8(ascii: "\n")]
    }

    /// What a profile for an address is called unless told otherwise: the address without its
    /// leading `@`.
    static func name(for address: String) -> String {
        let name = address.drop { $0 == "@" }
        return name.isEmpty ? "default" : String(name)
    }
}

/// A file that is JSON but holds no profiles.
struct UnreadableProfiles: Error {}
