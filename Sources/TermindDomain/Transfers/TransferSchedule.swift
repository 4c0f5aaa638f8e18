/// Where a piece of work comes from: a pane, an edit, a command; each gets a fair share.
public struct TransferSource: Hashable, Sendable {
  /// The source's number.
  public let rawValue: UInt64

  /// Wraps a number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Names one piece of work that waits for a slot or holds one.
public struct TransferTicket: Hashable, Sendable {
  /// The ticket's number; later ones are larger.
  public let rawValue: UInt64

  /// Wraps a number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Who may copy next: a pure value that the scheduler asks.
///
/// Hosts take turns, then the sources of a host, then the oldest work of the source. Work between two servers takes one
/// slot in all and one of each; work on this machine alone only one in all. A person can put sources before others. New
/// limits never touch what runs.
public struct TransferSchedule: Sendable {
  private struct Work: Sendable {
    let ticket: TransferTicket
    let places: Set<FilePlace>
  }

  /// What waits, by the first host in order and then by source, oldest first.
  private struct Line: Sendable {
    var sources: [TransferSource] = []
    var work: [TransferSource: [Work]] = [:]
  }

  /// How many may run.
  public private(set) var limits: TransferLimits
  private var hosts: [FilePlace] = []
  private var lines: [FilePlace: Line] = [:]
  private var running: [TransferTicket: Set<FilePlace>] = [:]
  private var busy: [FilePlace: Int] = [:]
  private var lastTicket: UInt64 = 0
  /// What a person moved up or down; all others are at zero.
  private var priorities: [TransferSource: Int] = [:]

  /// Makes an empty schedule.
  public init(limits: TransferLimits = .standard) { self.limits = limits }

  /// How many pieces of work hold a slot.
  public var runningCount: Int { running.count }
  /// How many wait.
  public var waitingCount: Int {
    lines.values.reduce(0) { $0 + $1.work.values.reduce(0) { $0 + $1.count } }
  }

  /// Changes the limits for what waits.
  public mutating func setLimits(_ limits: TransferLimits) { self.limits = limits }

  /// Moves a source before all with a lower number, and behind all with a higher one; of one number, all take turns.
  public mutating func setPriority(of source: TransferSource, to priority: Int) {
    priorities[source] = priority == 0 ? nil : priority
  }

  /// Puts work at the end of its source's line.
  ///
  /// - Parameters:
  ///   - places: The file systems that it uses.
  ///   - source: Who wants it.
  /// - Returns: The ticket by which it is called.
  public mutating func enqueue(places: Set<FilePlace>, source: TransferSource) -> TransferTicket {
    lastTicket += 1
    let ticket = TransferTicket(rawValue: lastTicket)
    let servers = places.subtracting([.thisMachine])
    let host = Self.home(of: servers)
    if lines[host] == nil {
      lines[host] = Line()
      hosts.append(host)
    }
    if lines[host]?.work[source] == nil { lines[host]?.sources.append(source) }
    lines[host]?.work[source, default: []].append(Work(ticket: ticket, places: servers))
    return ticket
  }

  /// The line in which work stands: its only server, or one of both in a fixed order.
  private static func home(of servers: Set<FilePlace>) -> FilePlace {
    servers.min { "\($0)" < "\($1)" } ?? .thisMachine
  }

  /// Starts the next piece of work, if there is a slot for one.
  public mutating func startNext() -> TransferTicket? {
    guard running.count < limits.total else { return nil }
    guard !priorities.isEmpty else { return startNext(at: nil) }
    let waiting = Set(lines.values.flatMap(\.sources).map { priorities[$0, default: 0] })
    for priority in waiting.sorted(by: >) {
      if let ticket = startNext(at: priority) { return ticket }
    }
    return nil
  }

  /// Starts the next piece of work among the sources of one priority; nil means all of them.
  private mutating func startNext(at priority: Int?) -> TransferTicket? {
    for (hostIndex, host) in hosts.enumerated() {
      guard let found = take(from: host, at: priority) else { continue }
      // The host and the source that were served go behind the others.
      hosts.append(hosts.remove(at: hostIndex))
      dropEmpty(host)
      running[found.ticket] = found.places
      for place in found.places { busy[place, default: 0] += 1 }
      return found.ticket
    }
    return nil
  }

  private mutating func take(from host: FilePlace, at priority: Int?) -> Work? {
    guard var line = lines[host] else { return nil }
    for (index, source) in line.sources.enumerated() {
      guard priority == nil || priorities[source, default: 0] == priority,
        let first = line.work[source]?.first, hasRoom(first.places)
      else { continue }
      line.work[source]?.removeFirst()
      line.sources.remove(at: index)
      if line.work[source]?.isEmpty == false {
        line.sources.append(source)
      } else {
        line.work[source] = nil
      }
      lines[host] = line
      return first
    }
    return nil
  }

  private func hasRoom(_ places: Set<FilePlace>) -> Bool {
    places.allSatisfy { busy[$0, default: 0] < limits.perHost }
  }

  private mutating func dropEmpty(_ host: FilePlace) {
    guard lines[host]?.sources.isEmpty == true else { return }
    lines[host] = nil
    hosts.removeAll { $0 == host }
  }

  /// Ends work, whether it waited or ran.
  public mutating func end(_ ticket: TransferTicket) {
    if let places = running.removeValue(forKey: ticket) {
      for place in places { busy[place, default: 1] -= 1 }
      return
    }
    for (host, var line) in lines {
      for (source, work) in line.work {
        guard let index = work.firstIndex(where: { $0.ticket == ticket }) else { continue }
        line.work[source]?.remove(at: index)
        if line.work[source]?.isEmpty == true {
          line.work[source] = nil
          line.sources.removeAll { $0 == source }
        }
        lines[host] = line
        dropEmpty(host)
        return
      }
    }
  }

  /// Moves work to the front of its source's line.
  public mutating func moveToFront(_ ticket: TransferTicket) {
    for (host, var line) in lines {
      for (source, var work) in line.work {
        guard let index = work.firstIndex(where: { $0.ticket == ticket }) else { continue }
        work.insert(work.remove(at: index), at: 0)
        line.work[source] = work
        lines[host] = line
        return
      }
    }
  }
}
