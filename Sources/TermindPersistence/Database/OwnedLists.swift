internal import TermindApplication

/// The rows of a table of lists, such as the tags of hosts, in the order of their owners.
///
/// It is read along with the owners in the same order, so that no list has to be looked up.
struct OwnedLists<Element> {
  fileprivate var owners: [Int64] = []
  fileprivate var elements: [Element] = []
  private var next = 0

  fileprivate init() {}

  /// The list of an owner; each call must be for a later owner than the one before.
  mutating func take(_ owner: Int64) -> [Element] {
    while next < owners.count, owners[next] < owner { next += 1 }
    let start = next
    while next < owners.count, owners[next] == owner { next += 1 }
    return start == next ? [] : Array(elements[start..<next])
  }
}

extension Connection {
  /// Reads a table of lists.
  ///
  /// - Parameters:
  ///   - sql: A query whose first column is the owner's row, in the order of owners and positions.
  ///   - read: Makes an element of the other columns.
  /// - Returns: The lists.
  /// - Throws: Why the store cannot be read.
  func lists<Element>(
    _ sql: String,
    read: (borrowing StatementHandle) -> Element
  ) throws(StoreError) -> OwnedLists<Element> {
    var lists = OwnedLists<Element>()
    try run(sql, []) { row in
      lists.owners.append(row.integer(0))
      lists.elements.append(read(row))
    }
    return lists
  }

  /// Writes the list of an owner anew.
  ///
  /// - Parameters:
  ///   - clear: A statement that removes the list of the owner `?1`.
  ///   - insert: A statement that adds an element of owner `?1` at position `?2`.
  ///   - owner: The owner's row.
  ///   - elements: The other values of each element, in order.
  /// - Throws: Why the store cannot be written.
  func replaceList(
    clear: String,
    insert: String,
    owner: Int64,
    _ elements: [[DatabaseValue]]
  ) throws(StoreError) {
    try change(clear, .integer(owner))
    for (position, values) in elements.enumerated() {
      try run(insert, [.integer(owner), .integer(Int64(position))] + values) { _ in }
    }
  }
}
