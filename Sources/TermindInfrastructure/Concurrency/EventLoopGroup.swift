internal import Glibc
internal import Synchronization

/// A few loops that share the work of the process.
public final class EventLoopGroup: Sendable {
  /// The loops, in the order in which they were started.
  public let loops: [EventLoop]
  private let turn = Atomic<UInt32>(0)

  /// Starts `count` loops.
  ///
  /// - Parameters:
  ///   - name: The threads are called `NAME-1` and so on.
  ///   - count: Clamped from 1 to the number of cores; nil means two at most.
  /// - Throws: `.system` when the process is out of descriptors or threads; nothing is left running.
  public init(name: String, count: Int? = nil) throws(EventLoopError) {
    let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    var loops: [EventLoop] = []
    do throws(EventLoopError) {
      for index in 1...min(max(1, count ?? 2), cores) {
        loops.append(try EventLoop(name: "\(name)-\(index)"))
      }
    } catch {
      for loop in loops { loop.shutdown() }
      throw error
    }
    self.loops = loops
  }

  /// The loop for the next owner, in rotation.
  public func next() -> EventLoop {
    let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    return loops[Int(number) % loops.count]
  }

  /// Shuts every loop down.
  public func shutdown() {
    for loop in loops { loop.shutdown() }
  }
}
