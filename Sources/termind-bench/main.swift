import TermindInfrastructure

ProcessEnvironment.exit(BenchCommand.run(CommandLine.arguments.dropFirst()))
