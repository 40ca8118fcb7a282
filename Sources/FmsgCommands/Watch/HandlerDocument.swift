import CommandLineTool
import FmsgCore

/// What hooks and handlers alike are handed.
enum HandlerDocument {
    /// Who the program acts as.
    static func me(_ identity: Identity) -> JSON {
        .object([
            "address": .string(identity.address),
            "owner": identity.owner.map(JSON.string) ?? .null,
        ])
    }

    /// The environment `base` with what is told of a message; credentials are taken out, unless
    /// they are to be passed on.
    static func environment(
        _ base: Environment, _ type: String, _ message: FmsgMessage,
        passesCredentials: Bool = false
    ) -> Environment {
        var environment = base
        if !passesCredentials {
            environment[EnvironmentVariable.apiKey] = nil
            environment[EnvironmentVariable.token] = nil
        }
        environment[EnvironmentVariable.event] = type
        environment[EnvironmentVariable.messageId] = String(message.id)
        environment[EnvironmentVariable.from] = message.from
        environment[EnvironmentVariable.topic] = message.topic
        return environment
    }
}
