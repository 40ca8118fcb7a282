#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The least that a Swift program which understands JSON does: the start-up of `fmsg` is measured
/// against it.
struct Identity: Decodable {
    let address: String
    let owner: String?
    let scopes: [String]
}

let document = #"{"address":"@alice@example.com","owner":null,"scopes":["read","write"]}"#
let identity = try JSONDecoder().decode(Identity.self, from: Data(document.utf8))
print(identity.address)
