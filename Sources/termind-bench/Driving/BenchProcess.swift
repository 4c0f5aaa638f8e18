import Glibc
import TermindInfrastructure

/// A child process of the bench, ended with the object.
final class BenchProcess {
  private let process: SpawnedProcess
  private var end: SpawnedProcess.End?

  /// Starts a program in a session of its own.
  init(
    _ arguments: [String],
    environment: [String: String],
    descriptors: [ProgramSpawn.Source]
  ) throws(BenchError) {
    let spawn = ProgramSpawn(
      program: arguments[0],
      arguments: arguments,
      environment: environment,
      directory: nil,
      descriptors: descriptors
    )
    do throws(LocalProgramError) {
      process = try spawn.start()
    } catch {
      throw .failed(step: "start \(arguments[0])", diagnostic: "\(error)")
    }
  }

  deinit { kill() }

  /// The process number.
  var number: Int32 { process.number }

  /// The descriptor that becomes readable at the end.
  var descriptor: OwnedDescriptor { process.descriptor }

  /// How it ended; nil while it runs.
  var ended: SpawnedProcess.End? {
    if end == nil { end = process.collect() }
    return end
  }

  /// Blocks until it ends or the time is over.
  func wait(milliseconds: Int) -> SpawnedProcess.End? {
    if let ended { return ended }
    _ = DescriptorWait.readable([process.descriptor], milliseconds: milliseconds)
    return ended
  }

  /// Sends it a signal.
  func signal(_ number: Int32) {
    if ended == nil { process.signalGroup(number) }
  }

  /// Ends it for certain, and collects it.
  func kill() {
    guard ended == nil else { return }
    process.signalGroup(SIGKILL)
    _ = wait(milliseconds: 5000)
  }
}
