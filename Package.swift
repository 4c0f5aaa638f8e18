// swift-tools-version: 6.2

import PackageDescription

/// What every test is compiled with; see CONTRIBUTING.md.
let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .treatAllWarnings(as: .error),
  .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// What the program is compiled with: also `unsafe` marks each use of memory that nobody checks.
let strict = common + [.strictMemorySafety()]

/// The composition runs on the main actor unless it says otherwise.
let onMainActor = strict + [.defaultIsolation(MainActor.self)]

/// A target of ours with what it may see; the arrows are proved by Tests/ArchitectureTests.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of one target.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: common)
}

// Targets stand in dependency order; Docs/Architecture.md names each in one line.
let package = Package(
  name: "termind",
  targets: [
    .systemLibrary(name: "CLinux"),
    module("TermindUnicode"),
    .systemLibrary(name: "CNcurses"),
    module("TermindScreen", ["TermindUnicode", "CNcurses"]),
    module("TermindDomain"),
    module("TermindApplication", ["TermindDomain"]),
    module("TermindInfrastructure", ["TermindDomain", "TermindApplication", "CLinux"]),
    .systemLibrary(name: "CCrypto"),
    .systemLibrary(name: "CSSH2"),
    module(
      "TermindRemoteInfrastructure",
      [
        "TermindDomain", "TermindApplication", "TermindInfrastructure", "CLinux", "CCrypto",
        "CSSH2",
      ]
    ),
    module("TermindPresentation", ["TermindDomain", "TermindApplication", "TermindScreen"]),
    .target(
      name: "TermindTUI",
      dependencies: [
        "TermindDomain", "TermindApplication", "TermindInfrastructure",
        "TermindRemoteInfrastructure", "TermindScreen", "TermindPresentation",
      ],
      swiftSettings: onMainActor
    ),
    .executableTarget(name: "termind", dependencies: ["TermindTUI"], swiftSettings: onMainActor),
    tests("ArchitectureTests"),
    tests("TermindUnicodeTests", ["TermindUnicode"]),
    tests("TermindScreenTests", ["TermindScreen"]),
    tests("TermindDomainTests", ["TermindDomain"]),
    tests("TermindApplicationTests", ["TermindApplication", "TermindDomain"]),
    tests("TermindInfrastructureTests", ["TermindInfrastructure", "CLinux"]),
    tests(
      "TermindPresentationTests",
      ["TermindPresentation", "TermindDomain", "TermindApplication", "TermindScreen"]
    ),
    tests(
      "TermindTUITests",
      ["TermindTUI", "TermindDomain", "TermindInfrastructure", "termind"]
    ),
    tests(
      "TermindRemoteInfrastructureTests",
      [
        "TermindRemoteInfrastructure", "TermindDomain", "TermindApplication",
        "TermindInfrastructure", "CLinux",
      ]
    ),
  ]
)
