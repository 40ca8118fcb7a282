import CommandLineTool
import FmsgCore
import TestSupport
import Testing

extension Run {
    /// Expects that a run with `--json` failed as a refusal that was captured makes it: by its exit
    /// code, and with the host's words and status.
    func expectRefusal(
        as capture: Capture, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let words = try? JSON.read(capture.body)["error"]?.string
        let expected: ExitCode =
            switch capture.status {
            case 401: .notAuthenticated
            case 404: words == nil ? .refused : .notFound
            case 500...: .hostUnavailable
            default: .refused
            }
        #expect(exitCode == expected, "\(err)", sourceLocation: location)
        guard let words else { return }
        let error = try JSON.read(err)["error"]
        #expect(error?["message"] == .string(words), sourceLocation: location)
        #expect(error?["status"] == .integer(capture.status), sourceLocation: location)
    }
}
