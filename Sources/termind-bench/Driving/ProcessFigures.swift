import FoundationEssentials
import Glibc
import TermindInfrastructure

/// What the kernel tells of a process.
enum ProcessFigures {
  /// Resident memory in megabytes of 1,000,000 bytes.
  static func residentMegabytes(of process: Int32) throws(BenchError) -> Double {
    try value("VmRSS", in: "/proc/\(process)/status") * 1024 / 1e6
  }

  /// The most resident memory that a process had since `forgetPeak`, in megabytes of 1,000,000 bytes.
  static func peakMegabytes(of process: Int32) throws(BenchError) -> Double {
    try value("VmHWM", in: "/proc/\(process)/status") * 1024 / 1e6
  }

  /// Lets the highest resident memory of a process begin at what it has now (proc(5), clear_refs).
  static func forgetPeak(of process: Int32) throws(BenchError) {
    let path = "/proc/\(process)/clear_refs"
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed(step: "open \(path)", diagnostic: "error \(errno)") }
    defer { _ = close(descriptor) }
    guard unsafe write(descriptor, "5", 1) == 1 else {
      throw .failed(step: "write \(path)", diagnostic: "error \(errno)")
    }
  }

  /// How often the threads of a process have gone to sleep so far, and so were woken.
  static func wakeups(of process: Int32) throws(BenchError) -> Double {
    let folder = "/proc/\(process)/task"
    guard let threads = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw .failed(step: "count wakeups", diagnostic: "process \(process) has ended")
    }
    var sum = 0.0
    for thread in threads {
      sum += try value("voluntary_ctxt_switches", in: "\(folder)/\(thread)/status")
    }
    return sum
  }

  /// Whether the process runs.
  static func isAlive(_ process: Int32) -> Bool { Glibc.kill(process, 0) == 0 }

  /// How many processes have one of these as their parent.
  static func childCount(of parents: Set<Int32>) throws(BenchError) -> Int {
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: "/proc") else {
      throw .failed(step: "count processes", diagnostic: "/proc cannot be read")
    }
    return entries.count { entry in
      guard Int32(entry) != nil else { return false }
      // Behind the name, which may hold anything: the state, then the parent. One that has gone has no text.
      let text = ScratchFolder.text(of: "/proc/\(entry)/stat")
      let words = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
      return words.count > 2 && Int32(words[2]).map(parents.contains) == true
    }
  }

  private static func value(_ name: String, in path: String) throws(BenchError) -> Double {
    for line in ScratchFolder.text(of: path).split(separator: "\n") where line.hasPrefix("\(name):")
    {
      if let number = Double(line.filter(\.isNumber)) { return number }
    }
    throw .failed(step: "read \(name)", diagnostic: "\(path) does not tell")
  }
}
