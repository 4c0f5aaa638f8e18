import Dispatch
import TermindInfrastructure

/// Calls back on the main actor while a descriptor is ready; holds the descriptor open until it is
/// cancelled.
///
/// The server's main thread waits for it itself. Where there is no `MainLoop`, as in a test, Dispatch does.
final class ReadinessSource {
  private let watch: MainLoop.Watch?
  private let source: (any DispatchSourceProtocol)?
  private var isRunning = false

  /// Makes a source that is not running yet.
  init(
    _ descriptor: OwnedDescriptor,
    _ kind: MainLoop.Kind,
    _ handler: @escaping @MainActor () -> Void
  ) {
    watch = MainLoop.current?.watch(descriptor, kind, handler)
    source = watch == nil ? Self.dispatchSource(descriptor, kind, handler) : nil
  }

  private static func dispatchSource(
    _ descriptor: OwnedDescriptor,
    _ kind: MainLoop.Kind,
    _ handler: @escaping @MainActor () -> Void
  ) -> any DispatchSourceProtocol {
    let source: any DispatchSourceProtocol
    switch kind {
    case .reading:
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: .main)
    case .writing:
      source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: .main)
    }
    source.setEventHandler { MainActor.assumeIsolated(handler) }
    source.setCancelHandler { withExtendedLifetime(descriptor) {} }
    return source
  }

  /// Starts or pauses the calls.
  func setRunning(_ wanted: Bool) {
    guard wanted != isRunning else { return }
    isRunning = wanted
    watch?.setRunning(wanted)
    if wanted { source?.resume() } else { source?.suspend() }
  }

  isolated deinit {
    source?.cancel()
    // A source that is paused never runs its cancel handler, and may not be released.
    if !isRunning { source?.resume() }
  }
}
