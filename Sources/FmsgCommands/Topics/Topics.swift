import CommandLineTool

/// What there is to read besides the commands, each in a file of this folder.
enum Topics {
    static let all = [
        TutorialTopic.topic, ReferencesTopic.topic, OutputTopic.topic, ExitCodesTopic.topic,
        EnvironmentTopic.topic,
        ConfigurationTopic.topic, AgentsTopic.topic,
    ]
}
