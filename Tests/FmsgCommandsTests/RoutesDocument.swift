import FmsgCore
import Testing

@testable import FmsgCommands

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The table of `docs/routes.md`.
struct RoutesDocument {
    /// What is not the client's: push.
    static let foreign = ["POST /fmsg/push/subscribe", "DELETE /fmsg/push/subscribe"]

    /// The text of the second column by the route of the first.
    let commands: [String: String]
    let routes: [String]
    /// The routes in italics.
    let newer: Set<String>

    static let ofPackage = RoutesDocument()

    private init() {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/routes.md")
        let text = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let rows = text.split(separator: "\n").filter {
            $0.hasPrefix("| `") || $0.hasPrefix("| *`")
        }
        .map { $0.split(separator: "|").map { $0.trimmingPrefix(" ") } }
        routes = rows.compactMap { Self.quoted(String($0[0])).first }
        newer = Set(
            rows.filter { $0[0].hasPrefix("*") }.compactMap { Self.quoted(String($0[0])).first })
        commands = Dictionary(
            zip(routes, rows.map { $0.count > 1 ? String($0[1]) : "" }), uniquingKeysWith: { $1 })
    }

    /// Whether the row of a route names a command.
    func names(_ command: [String], for route: Route) -> Bool {
        let cell = commands[route.rawValue] ?? ""
        let name = command.joined(separator: " ")
        return cell.hasPrefix("every command")
            || Self.quoted(cell).contains { $0 == name || $0.hasPrefix(name + " -") }
    }

    /// The words in backquotes.
    static func quoted(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}

@Suite struct RoutesDocumentTests {
    private let document = RoutesDocument.ofPackage

    @Test func eachRouteHasOneRow() {
        let wanted = Route.allCases.map(\.rawValue) + RoutesDocument.foreign
        #expect(document.routes == wanted, "docs/routes.md has the routes in their order")
        let newer = Route.allCases.filter { $0.isNewerOnly || $0 == .threadText }
        #expect(document.newer == Set(newer.map(\.rawValue)))
    }

    @Test func eachRouteHasACommandOrAReason() {
        for (route, cell) in document.commands {
            #expect(
                cell.contains("`") || cell.hasPrefix("none") || cell.hasPrefix("every"), "\(route)")
        }
        #expect(document.names(["react"], for: .react) && !document.names(["inbox"], for: .react))
    }

    @Test func whatIsNamedIsACommand() {
        let names = CommandTable.all.map { $0.declaration.name }
        for (route, cell) in document.commands where !cell.hasPrefix("none") {
            for word in RoutesDocument.quoted(cell) where word != "-N" && !word.contains("/") {
                #expect(
                    names.contains { word == $0 || word.hasPrefix($0 + " -") },
                    "\(route): fmsg \(word)")
            }
        }
    }
}
