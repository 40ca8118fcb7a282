import CommandLineTool
import FmsgCore

/// `fmsg host user add`
enum UserAddCommand {
    private static let address = Operand.required(
        "ADDRESS", .address, "The user's address, as in @alice@example.com")
    private static let owner = Option.value(
        "owner", .address, "The address that the user acts for")

    static let declaration = CommandDeclaration(
        "user add", group: .host, summary: "Add a user and print its API key",
        description: """
            Adds a user to the data folder, also while a host serves it, and prints an API key, \
            which is not shown again. For a user that is there already it makes one more key.

            The first user of a new data folder decides its domain.
            """,
        options: [owner, DataFolder.option], operands: [address],
        examples: [
            Example("fmsg-host user add @alice@example.com", "Add Alice and show her key"),
            Example(
                "fmsg-host user add @alice_bot@example.com --owner @alice@example.com",
                "Add an agent of hers"),
        ],
        output: "{\"address\", \"owner\", \"api_key\"}")

    static func run(_ call: HostCall) throws {
        let address = try call.invocation[address]
        let owner = call.invocation[owner]
        let host = try EmbeddedHost(
            HostConfiguration(dataFolder: try call.dataFolder(), domain: address.domain))
        let key = try host.addUser(address.text, owner: owner?.text)
        let record: JSONObject = [
            "address": .string(address.text), "owner": .string((owner ?? address).text),
            "api_key": .string(key),
        ]
        try call.print(record, text: key)
    }
}

/// `fmsg host user list`
enum UserListCommand {
    static let declaration = CommandDeclaration(
        "user list", group: .host, summary: "List the users of a host",
        description: """
            Lists the users in the data folder: address, owner, and the ids of the API keys that \
            are good, parted by tabs. No secret is shown: none is kept.
            """,
        options: [DataFolder.option],
        examples: [Example("fmsg-host user list --json", "List the users as a JSON array")],
        output: "[{\"address\", \"owner\", \"key_ids\"}]")

    static func run(_ call: HostCall) throws {
        let folder = try call.existingDataFolder()
        let users = try EmbeddedHost(HostConfiguration(dataFolder: folder)).users()
        guard !call.isJSON else {
            let records = users.map { user in
                JSON.object([
                    "address": .string(user.address), "owner": .string(user.owner),
                    "key_ids": .strings(user.keyIds),
                ])
            }
            return try call.runtime.standardOutput.writeLine(JSON.array(records).text)
        }
        for user in users {
            try call.runtime.standardOutput.writeLine(
                "\(user.address)\t\(user.owner)\t\(user.keyIds.joined(separator: ","))")
        }
    }
}
