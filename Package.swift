// swift-tools-version: 6.2

import PackageDescription

/// What every Swift target is compiled with; see CONTRIBUTING.md.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .treatWarning("DeprecatedDeclaration", as: .warning),
]

// Targets stand in dependency order; the arrows are listed in Docs/Architecture.md and proved by
// Tests/ArchitectureTests.
let package = Package(
  name: "termind",
  targets: [
    .systemLibrary(name: "CLinux"),
    .target(name: "TermindDomain", swiftSettings: strict),
    .target(
      name: "TermindApplication",
      dependencies: ["TermindDomain"],
      swiftSettings: strict
    ),
    .systemLibrary(name: "CCrypto"),
    .target(
      name: "TermindRemoteInfrastructure",
      dependencies: ["TermindDomain", "TermindApplication", "CCrypto"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TermindRemoteInfrastructureTests",
      dependencies: ["TermindRemoteInfrastructure", "TermindDomain", "TermindApplication"],
      exclude: ["Fixtures"],
      swiftSettings: strict
    ),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
  ]
)
