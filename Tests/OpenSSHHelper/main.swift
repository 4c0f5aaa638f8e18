import TermindRemoteInfrastructure

// The helpers of the OpenSSH engine alone, for tests that do not build the whole program.
OpenSSHHelper.runIfNamed(CommandLine.arguments)
