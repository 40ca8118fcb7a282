import CommandLineTool

// Writes all that is made from the declarations into the folder of the package:
//
//     generate-reference FOLDER
do {
    guard CommandLine.arguments.count == 2 else {
        throw UsageError("usage: generate-reference FOLDER")
    }
    try ReferenceFiles.write(to: CommandLine.arguments[1], LocalFileSystem())
} catch {
    let standardError = ByteOutput(descriptor: 2, name: "standard error", capacity: 0)
    try? standardError.writeLine("generate-reference: \(error)")
    ExitCode.failed.exit()
}
