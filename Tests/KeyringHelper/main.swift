import TermindInfrastructure

// The keyring's helper alone, for tests that do not build the whole program.
KeyringHelper.run(Array(CommandLine.arguments.dropFirst()))
