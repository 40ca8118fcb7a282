import CommandLineTool
import FmsgCore

/// How long `--wait` waits for the delivery of a message that was sent, and what comes of it.
struct DeliveryDeadline: Sendable {
    private static let standard = 60.0

    let seconds: Double

    /// Nil when the line does not ask for it.
    init?(_ invocation: Invocation) {
        switch invocation[MessageOptions.wait] {
        case .absent: return nil
        case .bare: seconds = Self.standard
        case .value(let seconds): self.seconds = seconds
        }
    }

    /// Prints the delivery as text, and says how it went: every error says that the message was
    /// sent.
    func conclude(
        _ outcome: Result<FmsgMessage, any Error>, of sent: SentMessage, in context: CommandContext
    ) throws -> ExitCode {
        let message: FmsgMessage
        switch outcome {
        case .success(let found): message = found
        case .failure(let error):
            let report = ErrorReport(error)
            throw CommandFailure(
                "message \(sent.id) was sent; whom it reached could not be found out: "
                    + report.message,
                hint: "look later: fmsg show \(sent.id) --delivery", exitCode: report.exitCode,
                messageId: sent.id)
        }
        if !context.wantsJSON {
            do throws(OutputError) {
                try DeliveryPage(output: context.output).write(message)
                try context.runtime.standardOutput.flush()
            } catch {
                throw SentUntold(id: sent.id, cause: error)
            }
        }
        let beginning = "message \(sent.id) was sent, but "
        if let failure = DeliveryPage.failure(of: message, beginning: beginning) { throw failure }
        guard message.isDeliverySettled else {
            let pending = message.allDelivery.count { $0.state == .pending }
            context.say(
                "message \(sent.id) was sent; \(pending) of \(message.allDelivery.count) "
                    + "recipients are still pending")
            return .nothingCame
        }
        return .done
    }
}
