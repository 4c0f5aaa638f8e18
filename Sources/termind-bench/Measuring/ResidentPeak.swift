import TermindInfrastructure

/// The highest resident memory of a process from a moment on, against what it had then.
struct ResidentPeak {
  private let process: Int32
  private let before: Double

  /// Starts to watch a process of this user; by default this one.
  init(of process: Int32 = ProcessEnvironment.processNumber) throws(BenchError) {
    self.process = process
    try ProcessFigures.forgetPeak(of: process)
    before = try ProcessFigures.residentMegabytes(of: process)
  }

  /// How many megabytes more it had at its highest.
  func growth() throws(BenchError) -> Double {
    max(0, try ProcessFigures.peakMegabytes(of: process) - before)
  }
}
