import CommandLineTool
import FmsgCore

/// `fmsg host token`
enum TokenCommand {
    private static let address = Operand.required(
        "ADDRESS", .address, "The owner's address, as in @alice@example.com")
    private static let lifetime = Option.value(
        "lifetime", .seconds, standard: 43_200, "Seconds that the token is good for")

    static let declaration = CommandDeclaration(
        "token", group: .host, summary: "Print an owner's token, as an identity provider would",
        description: """
            Stands in for an identity provider: prints a token with which a user of the data \
            folder can make sub-accounts and act as one of them, what an API key may not. \
            Whoever has the token is that user: keep it out of arguments and logs.
            """,
        options: [lifetime, DataFolder.option], operands: [address],
        examples: [
            Example(
                "FMSG_TOKEN=$(fmsg-host token @alice@example.com) fmsg sub-account list",
                "see Alice's sub-accounts")
        ],
        output: "{\"address\",\"access_token\",\"expires_at\"}")

    static func run(_ call: HostCall) throws {
        let address = try call.invocation[address].text
        let folder = try call.existingDataFolder()
        let host = try EmbeddedHost(HostConfiguration(dataFolder: folder))
        let issued = try host.ownerToken(for: address, lifetime: call.invocation[lifetime])
        let record: JSONObject = [
            "address": .string(address), Field.accessToken: .string(issued.token),
            Field.expiresAt: .string(issued.expiresAt),
        ]
        try call.print(record, text: issued.token)
    }
}
