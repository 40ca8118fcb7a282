import CommandLineTool

/// A message went out, and its id could not be printed: whoever repeats the command would send it
/// twice, so it is told as an error.
struct SentUntold: Error, Sendable, Equatable {
    let id: Int64
    let cause: OutputError
}
