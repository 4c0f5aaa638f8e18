import TermindTUI

TermindProgram.run(CommandLine.arguments)
