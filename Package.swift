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

/// What the targets of the composition are compiled with: everything belongs to the main actor
/// unless it says otherwise.
let onMainActor: [SwiftSetting] = strict + [.defaultIsolation(MainActor.self)]

/// A target of ours with what it may see; the arrows are proved by Tests/ArchitectureTests.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of one target.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

// Targets stand in dependency order; Docs/Architecture.md names each in one line.
let package = Package(
  name: "termind",
  targets: [
    .systemLibrary(name: "CLinux"),
    module("TermindUnicode"),
    module("TermindDomain"),
    module("TermindApplication", ["TermindDomain"]),
    module("TermindInfrastructure", ["TermindDomain", "TermindApplication", "CLinux"]),
    .systemLibrary(name: "CCrypto"),
    module(
      "TermindRemoteInfrastructure",
      ["TermindDomain", "TermindApplication", "TermindInfrastructure", "CCrypto"]
    ),
    .target(
      name: "TermindTUI",
      dependencies: [
        "TermindDomain", "TermindApplication", "TermindInfrastructure", "TermindUnicode",
      ],
      swiftSettings: onMainActor
    ),
    .executableTarget(name: "termind", dependencies: ["TermindTUI"], swiftSettings: onMainActor),
    tests("ArchitectureTests"),
    tests("TermindUnicodeTests", ["TermindUnicode"]),
    tests("TermindDomainTests", ["TermindDomain"]),
    tests("TermindInfrastructureTests", ["TermindInfrastructure", "CLinux"]),
    tests(
      "TermindRemoteInfrastructureTests",
      ["TermindRemoteInfrastructure", "TermindDomain", "TermindApplication"]
    ),
    .testTarget(
      name: "TermindTUITests",
      dependencies: ["TermindTUI", "TermindDomain", "TermindInfrastructure", "termind"],
      swiftSettings: onMainActor
    ),
  ]
)
