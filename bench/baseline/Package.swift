// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "baseline",
    targets: [
        // FoundationEssentials inlines calls of libm and does not ask for it.
        .executableTarget(
            name: "baseline", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))])
    ],
    swiftLanguageModes: [.v6]
)
