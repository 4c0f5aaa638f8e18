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
    .systemLibrary(name: "CSQLite"),
    .target(
      name: "TermindPersistence",
      dependencies: ["CSQLite", "TermindApplication", "TermindDomain"],
      swiftSettings: strict
    ),
    .target(
      name: "TermindTestSupport",
      dependencies: ["TermindApplication", "TermindDomain"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
    .testTarget(
      name: "TermindDomainTests",
      dependencies: ["TermindDomain"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TermindApplicationTests",
      dependencies: ["TermindApplication", "TermindDomain"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "TermindPersistenceTests",
      dependencies: [
        "TermindApplication", "TermindDomain", "TermindPersistence", "TermindTestSupport",
      ],
      exclude: ["Fixtures"],
      swiftSettings: strict
    ),
  ]
)
