internal import TermindApplication
internal import TermindDomain
internal import TermindInfrastructure

/// The hold that somebody has on a shared connection: it is over when everything that it was taken for has ended.
final class TransportLease: Sendable {
  private let count = Locked(1)
  private let whenOver: @Sendable () -> Void

  /// Begins with one use; `whenOver` runs once, after the last has ended.
  init(whenOver: @escaping @Sendable () -> Void) { self.whenOver = whenOver }

  /// Adds a use.
  func add() { count.withLock { if $0 > 0 { $0 += 1 } } }

  /// Ends a use.
  func end() {
    let isOver = count.withLock { count in
      guard count > 0 else { return false }
      count -= 1
      return count == 0
    }
    if isOver { whenOver() }
  }

  /// Ends it without a word; true when it was not over before.
  func revoke() -> Bool {
    count.withLock { count in
      defer { count = 0 }
      return count > 0
    }
  }
}

/// Passes everything on, and ends its use with the channel.
final class LeasedOutput: TerminalOutputReceiving {
  private let receiver: any TerminalOutputReceiving
  private let lease: TransportLease

  init(_ receiver: any TerminalOutputReceiving, _ lease: TransportLease) {
    self.receiver = receiver
    self.lease = lease
  }

  func received(_ bytes: UnsafeRawBufferPointer) { unsafe receiver.received(bytes) }

  func ended(_ end: TerminalChannelEnd) {
    receiver.ended(end)
    lease.end()
  }
}

/// Passes everything on, and ends its use with the channel.
final class LeasedBytes: ByteChannelReceiving {
  private let receiver: any ByteChannelReceiving
  private let lease: TransportLease

  init(_ receiver: any ByteChannelReceiving, _ lease: TransportLease) {
    self.receiver = receiver
    self.lease = lease
  }

  func received(_ bytes: UnsafeRawBufferPointer) { unsafe receiver.received(bytes) }

  func receivedError(_ bytes: UnsafeRawBufferPointer) { unsafe receiver.receivedError(bytes) }

  func finishedReceiving() { receiver.finishedReceiving() }

  func mayContinueSending() { receiver.mayContinueSending() }

  func ended(_ end: TerminalChannelEnd) {
    receiver.ended(end)
    lease.end()
  }
}

/// Passes connections on; each of them is a use of its own, and lives on when the listening ends.
final class LeasedConnections: RemoteListenReceiving {
  private let receiver: any RemoteListenReceiving
  private let lease: TransportLease

  init(_ receiver: any RemoteListenReceiving, _ lease: TransportLease) {
    self.receiver = receiver
    self.lease = lease
  }

  func accepted(
    _ channel: any ByteChannel,
    from originator: String
  ) -> (any ByteChannelReceiving)? {
    guard let taker = receiver.accepted(channel, from: originator) else { return nil }
    lease.add()
    return LeasedBytes(taker, lease)
  }

  func stopped(_ failure: ConnectionFailure) {
    receiver.stopped(failure)
    lease.end()
  }
}

/// A place whose use ends when it is closed.
final class LeasedListener: RemoteListener {
  private let listener: any RemoteListener
  private let lease: TransportLease
  private let isOpen = Locked(true)

  init(_ listener: any RemoteListener, _ lease: TransportLease) {
    self.listener = listener
    self.lease = lease
  }

  var address: RemoteListenAddress { listener.address }

  func close() async {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    await listener.close()
    if isFirst { lease.end() }
  }
}
