/// One binding in force.
public struct KeyBinding: Hashable, Sendable {
  /// The keys in order; the leader stands as the chord that it is.
  public let keys: [KeyChord]
  /// What they do.
  public let action: Action
  /// Whether the last key alone does it again for a moment.
  public let repeats: Bool

  /// The keys as people read them: `ctrl+space v`.
  public var keysText: String { keys.map(\.description).joined(separator: " ") }
}

/// A set of bindings in force, found key by key.
public struct Keymap: Sendable {
  /// A node of the tree of bindings.
  enum Node: Sendable {
    case binding(KeyBinding)
    case prefix([KeyChord: Node])
  }

  /// The name it is chosen by.
  public let name: String
  /// The chord that `leader` stands for; nil when the keymap has none.
  public let leader: KeyChord?
  /// Every binding, in the order of the file.
  public let bindings: [KeyBinding]
  /// How long a pause after a prefix brings up the sheet of choices.
  public let whichKeyDelay: Duration
  /// How long a repeating key stays alive after its last press.
  public let repeatDelay: Duration
  let root: [KeyChord: Node]
  /// The bindings of each action, shortest first; read for every frame.
  private let byAction: [Action: [KeyBinding]]

  init(
    name: String,
    leader: KeyChord?,
    bindings: [KeyBinding],
    root: [KeyChord: Node],
    whichKeyDelay: Duration,
    repeatDelay: Duration
  ) {
    self.name = name
    self.leader = leader
    self.whichKeyDelay = whichKeyDelay
    self.repeatDelay = repeatDelay
    self.root = root
    self.bindings = bindings
    byAction = Dictionary(grouping: bindings, by: \.action).mapValues { found in
      found.sorted { $0.keys.count < $1.keys.count }
    }
  }

  /// The bindings of an action, shortest first; what a menu shows beside it.
  public func bindings(of action: Action) -> [KeyBinding] { byAction[action] ?? [] }

  /// The keys of an action as people read them, such as every terminal can send if there are some; nil when it has none.
  public func keysText(for action: Action) -> String? {
    let all = bindings(of: action)
    return (all.first { !$0.keys.contains(where: \.isRarelyTold) } ?? all.first)?.keysText
  }

  /// What may follow a prefix, in the order of the file; nil when the keys are no prefix.
  func choices(after prefix: [KeyChord]) -> [KeyChoice]? {
    var node = root
    for chord in prefix {
      guard case .prefix(let next) = node[chord] else { return nil }
      node = next
    }
    var seen: Set<KeyChord> = []
    return bindings.compactMap { binding in
      guard binding.keys.count > prefix.count, binding.keys.starts(with: prefix) else { return nil }
      let chord = binding.keys[prefix.count]
      guard seen.insert(chord).inserted else { return nil }
      let isLast = binding.keys.count == prefix.count + 1
      return KeyChoice(
        chord: chord,
        action: isLast ? binding.action : nil,
        topics: isLast ? [] : topics(after: prefix + [chord])
      )
    }
  }

  /// What most of the keys after a prefix are about, the most frequent first.
  private func topics(after prefix: [KeyChord]) -> [String] {
    var topics: [String] = []
    var counts: [String: Int] = [:]
    for binding in bindings where binding.keys.starts(with: prefix) {
      let topic = binding.action.topic
      if counts[topic] == nil { topics.append(topic) }
      counts[topic, default: 0] += 1
    }
    let order = topics.indices.sorted { left, right in
      let (more, less) = (counts[topics[left]] ?? 0, counts[topics[right]] ?? 0)
      return more == less ? left < right : more > less
    }
    return order.map { topics[$0] }
  }

  func node(at keys: [KeyChord]) -> Node? {
    var node = Node.prefix(root)
    for chord in keys {
      guard case .prefix(let next) = node, let found = next[chord] else { return nil }
      node = found
    }
    return node
  }

  /// The tree of some bindings, of which none stands in another's way.
  static func tree(of bindings: [KeyBinding]) -> [KeyChord: Node] {
    var root: [KeyChord: Node] = [:]
    for binding in bindings { insert(binding, binding.keys[...], into: &root) }
    return root
  }

  /// Whether a binding has these keys, begins with them, or is a beginning of them.
  static func isTaken(_ keys: [KeyChord], in root: [KeyChord: Node]) -> Bool {
    var nodes = root
    for chord in keys {
      switch nodes[chord] {
      case nil: return false
      case .binding: return true
      case .prefix(let inner): nodes = inner
      }
    }
    return true
  }

  /// Puts a binding where none stands in its way.
  static func insert(
    _ binding: KeyBinding,
    _ keys: ArraySlice<KeyChord>,
    into nodes: inout [KeyChord: Node]
  ) {
    guard let chord = keys.first else { return }
    guard keys.count > 1 else {
      nodes[chord] = .binding(binding)
      return
    }
    var inner: [KeyChord: Node] = [:]
    // Taken out, so that it is changed in place rather than copied for every binding.
    if case .prefix(let found) = nodes.removeValue(forKey: chord) { inner = found }
    insert(binding, keys.dropFirst(), into: &inner)
    nodes[chord] = .prefix(inner)
  }
}

/// One line of the sheet that shows what may follow a prefix.
public struct KeyChoice: Hashable, Sendable {
  /// The key.
  public let chord: KeyChord
  /// What it does; nil when more keys follow.
  public let action: Action?

  /// What the keys that follow are about, the most frequent first; empty when none follow.
  public let topics: [String]

  /// What the sheet says beside the key; for a prefix, what most of the keys that follow do.
  public var label: String { action?.label ?? "\(topics.prefix(2).joined(separator: ", "))…" }
}
