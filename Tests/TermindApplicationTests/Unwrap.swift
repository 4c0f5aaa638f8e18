import Testing

/// `#require` for the result of a mutating call, which the macro itself cannot take.
func unwrap<Value>(
  _ value: Value?,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Value {
  try #require(value, sourceLocation: sourceLocation)
}
