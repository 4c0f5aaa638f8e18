import TermindInfrastructure

enum DoctorCommand {
  static func run(isJSON: Bool, paths: TermindPaths) -> UInt8 { 0 }
}
