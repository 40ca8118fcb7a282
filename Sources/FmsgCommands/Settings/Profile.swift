import FmsgCore

/// One identity at one host, as it was logged in.
struct Profile: Sendable, Equatable {
    let name: String
    let apiURL: String
    let credential: Credential
    /// The address that the host named; nil where it is not known.
    let address: String?

    /// Whether it is the same identity at the same host, perhaps with another key.
    func isSameIdentity(as other: Profile) -> Bool {
        guard let address, let otherAddress = other.address else { return false }
        return apiURL == other.apiURL && sameAddress(address, otherAddress)
    }
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
    /// Of the file.
    private static let version: Int64 = 1

    private(set) var all: [Profile] = []
    private(set) var defaultName: String?

    /// The profile of that name.
    subscript(name: String) -> Profile? { all.first { $0.name == name } }

    /// Puts a profile in the place of one of the same name; the default stays.
    mutating func keep(_ profile: Profile) {
        if let index = all.firstIndex(where: { $0.name == profile.name }) {
            all[index] = profile
        } else {
            all.append(profile)
        }
    }

    /// Makes a profile the default; false when there is none of that name.
    mutating func use(_ name: String) -> Bool {
        guard self[name] != nil else { return false }
        defaultName = name
        return true
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
        if let version = document?[ProfileField.version]?.int64, version > Self.version {
            throw UnreadableProfiles(version: version)
        }
        guard let profiles = document?[ProfileField.profiles]?.object else {
            throw UnreadableProfiles()
        }
        for (name, value) in profiles.fields {
            guard let fields = value.object, let url = fields[ProfileField.apiURL]?.string,
                let credential = Self.credential(fields), self[name] == nil
            else { throw UnreadableProfiles() }
            let address = fields[ProfileField.address]?.string
            all.append(Profile(name: name, apiURL: url, credential: credential, address: address))
        }
        defaultName = document?[ProfileField.defaultProfile]?.string
    }

    /// The one profile of the public Go client's `auth.json`.
    /// - Throws: ``JSONError`` or ``UnreadableProfiles``.
    init(goClient bytes: [UInt8]) throws {
        guard let fields = try JSON.read(bytes).object,
            let url = fields[ProfileField.apiURL]?.string, !url.isEmpty,
            let credential = Self.credential(fields)
        else { throw UnreadableProfiles() }
        let user = fields[ProfileField.user]?.string
        let name = Self.name(for: user ?? "")
        all = [Profile(name: name, apiURL: url, credential: credential, address: user)]
        defaultName = name
    }

    private static func credential(_ fields: JSONObject) -> Credential? {
        func secret(_ field: String) -> String? {
            fields[field]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        return secret(ProfileField.apiKey).map(Credential.apiKey)
            ?? secret(ProfileField.accessToken).map(Credential.token)
    }

    /// The bytes of `credentials.json`: they hold keys.
    var credentials: [UInt8] {
        var profiles = JSONObject()
        for profile in all {
            var fields: JSONObject = [ProfileField.apiURL: .string(profile.apiURL)]
            switch profile.credential {
            case .apiKey(let key): fields[ProfileField.apiKey] = .string(key)
            case .token(let token): fields[ProfileField.accessToken] = .string(token)
            }
            fields[ProfileField.address] = profile.address.map(JSON.string) ?? .null
            profiles[profile.name] = .object(fields)
        }
        let document: JSONObject = [
            ProfileField.version: .integer(Self.version),
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

/// A file that is JSON but holds no profiles, or such as only a newer program understands.
struct UnreadableProfiles: Error {
    var version: Int64?
}
