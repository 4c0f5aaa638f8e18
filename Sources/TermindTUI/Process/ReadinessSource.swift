import Dispatch
import TermindInfrastructure

/// Calls back on the main actor while a descriptor is ready; holds the descriptor open until it is
/// cancelled.
final class ReadinessSource {
  /// What is waited for.
  enum Kind {
    case reading
    case writing
  }

  private let source: any DispatchSourceProtocol
  private var isRunning = false

  /// Makes a source that is not running yet.
  init(_ descriptor: OwnedDescriptor, _ kind: Kind, _ handler: @escaping @MainActor () -> Void) {
    switch kind {
    case .reading:
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: .main)
    case .writing:
      source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: .main)
    }
    source.setEventHandler { MainActor.assumeIsolated(handler) }
    source.setCancelHandler { withExtendedLifetime(descriptor) {} }
  }

  /// Starts or pauses the calls.
  func setRunning(_ wanted: Bool) {
    guard wanted != isRunning else { return }
    isRunning = wanted
    if wanted { source.resume() } else { source.suspend() }
  }

  isolated deinit {
    source.cancel()
    // A source that is paused never runs its cancel handler, and may not be released.
    if !isRunning { source.resume() }
  }
}
