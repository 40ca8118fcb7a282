// swift-tools-version: 6.0
import PackageDescription

// The commit that --version names; the Makefile tells it.
let commit = Context.environment["FMSG_COMMIT"] ?? ""

let package = Package(
    name: "fmsg",
    products: [
        .executable(name: "fmsg", targets: ["fmsg"]),
        .executable(name: "fmsg-host", targets: ["fmsg-host"]),
        .executable(name: "fmsg-repl", targets: ["fmsg-repl"]),
        .library(name: "FmsgCore", targets: ["FmsgCore"]),
    ],
    targets: [
        // Module maps and small shims over C.
        .target(
            name: "CSystem",
            cSettings: commit.isEmpty ? [] : [.define("FMSG_COMMIT", to: "\"\(commit)\"")]),
        .target(name: "CCurl"),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),
        .target(name: "CReadline", linkerSettings: [.linkedLibrary("readline")]),

        // The library modules. Arrows point down only.
        // FoundationEssentials inlines calls of libm and does not ask for it.
        .target(
            name: "FmsgCore",
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        .target(name: "WebSocketFrames"),
        .target(name: "FmsgTransport", dependencies: ["FmsgCore", "WebSocketFrames", "CCurl"]),
        .target(name: "CommandLineTool", dependencies: ["FmsgCore", "CSystem"]),
        .target(
            name: "FmsgCommands",
            dependencies: ["FmsgCore", "CommandLineTool"]),
        .target(
            name: "FmsgHost",
            dependencies: [
                "FmsgCore", "WebSocketFrames", "CommandLineTool", "CMicroHTTPD", "CSQLite",
                "CCrypto",
            ]),

        // GPL-3.0-or-later, since it links readline.
        .target(
            name: "FmsgRepl",
            dependencies: ["FmsgCommands", "FmsgCore", "CommandLineTool", "CReadline", "CSystem"]),

        // The programs: a few lines each.
        .executableTarget(
            name: "fmsg", dependencies: ["FmsgCommands", "CommandLineTool", "FmsgTransport"]),
        .executableTarget(name: "fmsg-host", dependencies: ["FmsgHost", "CommandLineTool"]),
        .executableTarget(
            name: "fmsg-repl", dependencies: ["FmsgRepl", "CommandLineTool", "FmsgTransport"]),

        // Writes what is made from the declarations: completions, the manual, parts of the README.
        .executableTarget(
            name: "generate-reference",
            dependencies: ["FmsgCommands", "FmsgHost", "CommandLineTool"]),

        // A program over the core, to learn from.
        .executableTarget(
            name: "echo-agent", dependencies: ["FmsgCore", "FmsgTransport"],
            path: "examples/echo-agent"),

        // Tests: a folder a module.
        .systemLibrary(
            name: "COpenSSL", path: "Tests/COpenSSL", pkgConfig: "libssl",
            providers: [.apt(["libssl-dev"])]),
        .target(
            name: "TestSupport", dependencies: ["FmsgCore", "FmsgHost", "CSystem", "COpenSSL"],
            path: "Tests/Support",
            exclude: ["Captures"]),
        .testTarget(name: "FmsgCoreTests", dependencies: ["FmsgCore", "TestSupport"]),
        .testTarget(name: "WebSocketFramesTests", dependencies: ["WebSocketFrames"]),
        .testTarget(
            name: "FmsgTransportTests",
            dependencies: ["FmsgTransport", "WebSocketFrames", "TestSupport"]),
        .testTarget(
            name: "FmsgHostTests",
            dependencies: [
                "FmsgHost", "FmsgTransport", "WebSocketFrames", "CommandLineTool", "TestSupport",
                "fmsg-host",
            ]),
        .testTarget(name: "CommandLineToolTests", dependencies: ["CommandLineTool"]),
        .testTarget(
            name: "FmsgCommandsTests",
            dependencies: [
                "FmsgCommands", "FmsgHost", "FmsgTransport", "WebSocketFrames", "TestSupport",
            ],
            exclude: ["Golden"]),
        .testTarget(
            name: "FmsgReplTests",
            dependencies: [
                "FmsgRepl", "FmsgCommands", "FmsgCore", "CommandLineTool", "FmsgHost",
                "FmsgTransport", "CSystem", "TestSupport", "fmsg", "fmsg-repl",
            ]),
        .testTarget(
            name: "AcceptanceTests",
            dependencies: [
                "CommandLineTool", "FmsgCommands", "FmsgHost", "FmsgTransport", "TestSupport",
                "fmsg", "fmsg-host", "echo-agent",
                "generate-reference",
            ],
            exclude: ["Examples/bin"]),
    ],
    swiftLanguageModes: [.v6]
)
