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
func tests(
  _ name: String,
  _ dependencies: [Target.Dependency] = [],
  exclude: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: common)
}

// Targets stand in dependency order; Docs/Architecture.md names each in one line.
let targets: [Target] = [
  .systemLibrary(name: "CLinux"),
  .systemLibrary(name: "CVTerm"),
  .systemLibrary(name: "CPCRE2"),
  .systemLibrary(name: "CNcurses"),
  .systemLibrary(name: "CSQLite"),
  .systemLibrary(name: "CCrypto"),
  .systemLibrary(name: "CSSH2"),
  .systemLibrary(name: "CSodium"),
  .systemLibrary(name: "CSecret"),
  module("TermindUnicode"),
  module("TermindTerminal", ["TermindUnicode", "CVTerm", "CPCRE2"]),
  module("TermindScreen", ["TermindUnicode", "CNcurses"]),
  module("TermindDomain"),
  module("TermindApplication", ["TermindDomain"]),
  module("TermindPersistence", ["TermindDomain", "TermindApplication", "CSQLite"]),
  module(
    "TermindInfrastructure",
    ["TermindDomain", "TermindApplication", "CLinux", "CSodium", "CSecret"]
  ),
  module(
    "TermindRemoteInfrastructure",
    [
      "TermindDomain", "TermindApplication", "TermindInfrastructure", "CLinux", "CCrypto",
      "CSSH2",
    ]
  ),
  module(
    "TermindPresentation",
    ["TermindUnicode", "TermindDomain", "TermindApplication", "TermindTerminal", "TermindScreen"]
  ),
  .target(
    name: "TermindTUI",
    dependencies: [
      "TermindUnicode", "TermindDomain", "TermindApplication", "TermindPersistence",
      "TermindInfrastructure", "TermindRemoteInfrastructure", "TermindTerminal", "TermindScreen",
      "TermindPresentation",
    ],
    swiftSettings: onMainActor
  ),
  .executableTarget(name: "termind", dependencies: ["TermindTUI"], swiftSettings: onMainActor),
  .executableTarget(
    name: "termind-bench",
    dependencies: [
      "TermindTerminal", "TermindDomain", "TermindApplication", "TermindPersistence",
      "TermindInfrastructure", "TermindRemoteInfrastructure", "TermindPresentation", "CLinux",
      "CVTerm",
    ],
    swiftSettings: strict
  ),
  .target(
    name: "TermindTestSupport",
    dependencies: ["TermindApplication", "TermindDomain", "TermindInfrastructure", "CLinux"],
    path: "Tests/TestSupport",
    swiftSettings: common
  ),
  .executableTarget(
    name: "termind-keyring-helper",
    dependencies: ["TermindInfrastructure"],
    path: "Tests/KeyringHelper",
    swiftSettings: common
  ),
  .executableTarget(
    name: "termind-ssh-helper",
    dependencies: ["TermindRemoteInfrastructure"],
    path: "Tests/OpenSSHHelper",
    swiftSettings: common
  ),
  tests("ArchitectureTests"),
  tests("TermindUnicodeTests", ["TermindUnicode"]),
  tests("TermindTerminalTests", ["TermindTerminal"]),
  tests("TermindScreenTests", ["TermindScreen", "TermindTerminal"]),
  tests("TermindDomainTests", ["TermindDomain"]),
  tests("TermindApplicationTests", ["TermindApplication", "TermindDomain"]),
  tests(
    "TermindPersistenceTests",
    ["TermindPersistence", "TermindApplication", "TermindDomain", "TermindTestSupport"],
    exclude: ["Fixtures"]
  ),
  tests(
    "TermindInfrastructureTests",
    [
      "TermindInfrastructure", "TermindApplication", "TermindDomain", "TermindTestSupport",
      "CLinux",
    ]
  ),
  tests(
    "TermindRemoteInfrastructureTests",
    [
      "TermindRemoteInfrastructure", "TermindDomain", "TermindApplication",
      "TermindInfrastructure", "TermindTestSupport", "CLinux", "termind-ssh-helper",
    ],
    exclude: ["Fixtures"]
  ),
  tests(
    "OpenSSHEngineTests",
    [
      "TermindRemoteInfrastructure", "TermindDomain", "TermindApplication",
      "TermindInfrastructure", "TermindPersistence", "TermindTestSupport", "termind-ssh-helper",
    ]
  ),
  tests(
    "TermindPresentationTests",
    ["TermindPresentation", "TermindDomain", "TermindApplication", "TermindScreen"],
    exclude: ["Golden"]
  ),
  tests("BenchTests", ["TermindTestSupport", "TermindInfrastructure", "termind-bench"]),
  tests("EndToEndTests", ["TermindTestSupport", "termind"]),
  tests(
    "TermindTUITests",
    [
      "TermindTUI", "TermindApplication", "TermindDomain", "TermindInfrastructure",
      "TermindPersistence", "TermindPresentation", "TermindTerminal", "TermindTestSupport",
      "termind",
    ]
  ),
]

// While one target is being worked on, TERMIND_TESTS=NAME,NAME builds only those tests (see Docs/Testing.md).
let chosen = Context.environment["TERMIND_TESTS"]?.split(separator: ",").map(String.init)
let package = Package(
  name: "termind",
  targets: targets.filter { $0.type != .test || chosen?.contains($0.name) ?? true }
)
