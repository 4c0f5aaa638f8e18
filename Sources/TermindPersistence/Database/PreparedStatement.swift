/// A compiled statement that is kept for its next use.
final class PreparedStatement {
  let handle: StatementHandle

  init(_ handle: consuming StatementHandle) { self.handle = handle }
}
