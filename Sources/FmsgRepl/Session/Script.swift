// SPDX-License-Identifier: GPL-3.0-or-later

import CommandLineTool
import FmsgCommands

/// Runs lines without a prompt, one after the other, until one fails.
struct Script {
    /// The longest line that is read, in bytes.
    private static let lineLimit = 64 << 20

    let session: ReplSession
    /// Whether a failure is no end.
    let keepsGoing: Bool
    private var reader: LineReader
    private var hasFailed = false
    private var number = 0

    init(_ session: ReplSession, keepsGoing: Bool) {
        self.session = session
        self.keepsGoing = keepsGoing
        reader = LineReader(home: session.runtime.environment["HOME"])
    }

    /// Runs the lines of texts, each of which stands for itself.
    mutating func run(_ texts: [String]) async -> ExitCode {
        for text in texts {
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if let end = await take(String(line)) { return end }
            }
            if let end = finish() { return end }
        }
        return exitCode
    }

    /// Runs lines as they come in.
    mutating func run(_ input: ByteInput) async -> ExitCode {
        var rest: [UInt8] = []
        do {
            while case let bytes = try await input.read(atMost: 1 << 16), !bytes.isEmpty {
                rest += bytes
                guard rest.count <= Self.lineLimit else {
                    throw InputError.tooLong(input: input.name, limit: Self.lineLimit)
                }
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = try text(rest[..<end], of: input)
                    rest.removeSubrange(...end)
                    if let end = await take(line) { return end }
                }
            }
            if !rest.isEmpty, let end = await take(try text(rest[...], of: input)) { return end }
        } catch {
            return session.report(error)
        }
        return finish() ?? exitCode
    }

    private func text(_ bytes: ArraySlice<UInt8>, of input: ByteInput) throws -> String {
        guard let line = String(validating: bytes, as: UTF8.self) else {
            throw InputError.notText(input: input.name)
        }
        return line.hasSuffix("\r") ? String(line.dropLast()) : line
    }

    private var exitCode: ExitCode { hasFailed ? .someFailed : .done }

    /// Takes a line in.
    /// - Returns: the exit code, when this was the last line to be run.
    private mutating func take(_ line: String) async -> ExitCode? {
        number += 1
        let statements: [Statement]
        do {
            statements = try reader.take(line)
            try session.check(statements)
        } catch {
            return failed(report(error))
        }
        for statement in statements {
            let exitCode = await session.run(statement)
            if session.store.read(\.isLeaving) {
                return exitCode == .done ? self.exitCode : exitCode
            }
            if exitCode != .done, let end = failed(exitCode) { return end }
        }
        return nil
    }

    private mutating func finish() -> ExitCode? {
        do throws(LineError) {
            try reader.finish()
            return nil
        } catch {
            return failed(report(error))
        }
    }

    private func report(_ error: any Error) -> ExitCode {
        guard let error = error as? LineError else { return session.report(error) }
        return session.report(UsageError("line \(number): \(error)"))
    }

    private mutating func failed(_ exitCode: ExitCode) -> ExitCode? {
        hasFailed = true
        return keepsGoing && !Task.isCancelled ? nil : exitCode
    }
}
