internal import CPCRE2

/// The library behind regular expressions, for `termind doctor`.
public enum FindLibrary {
  /// The version that the program runs with, such as `10.42`.
  public static var pcre2: String {
    var text = [UInt8](repeating: 0, count: 64)
    let length = unsafe text.withUnsafeMutableBytes {
      unsafe pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), $0.baseAddress)
    }
    guard length > 0 else { return "" }
    // The date of the release stands behind the number.
    return String(decoding: text.prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self)
  }
}

/// A compiled regular expression with what one thread needs to run it.
@safe struct PatternHandle: ~Copyable {
  /// What one look at a text gave.
  enum Answer: Equatable {
    /// A stretch of bytes, which is never empty.
    case found(Range<Int>)
    /// There is none from there on.
    case none
    /// Trying took more steps than a text of that length is worth.
    case tooCostly
  }

  /// Steps that one start may take in any text, beside those that its length allows.
  private static let leastSteps: UInt32 = 200_000
  /// Kibibytes that backtracking may take without the compiler.
  private static let heapLimit: UInt32 = 32_768
  private static let stackBytes = (first: 32_768, most: 1_048_576)

  private let code: OpaquePointer
  private let data: OpaquePointer
  private let context: OpaquePointer
  private let stack: OpaquePointer?

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - text: The expression, or words.
  ///   - isLiteral: Whether the text is words.
  ///   - ignoresCase: Whether upper and lower case are one.
  ///   - isWholeWord: Whether a match must begin and end at the edge of a word.
  /// - Throws: `.badPattern`.
  init(_ text: String, isLiteral: Bool, ignoresCase: Bool, isWholeWord: Bool) throws(FindError) {
    var options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_USE_OFFSET_LIMIT
    options |= isLiteral ? PCRE2_LITERAL : PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C
    if ignoresCase { options |= PCRE2_CASELESS }
    var failure: Int32 = 0
    var offset = 0
    let settings = unsafe pcre2_compile_context_create_8(nil)
    if isWholeWord {
      unsafe pcre2_set_compile_extra_options_8(settings, PCRE2_EXTRA_MATCH_WORD)
    }
    let bytes = Array(text.utf8)
    let code = unsafe pcre2_compile_8(
      bytes,
      bytes.count,
      options,
      &failure,
      &offset,
      settings
    )
    unsafe pcre2_compile_context_free_8(settings)
    guard let code = unsafe code else {
      throw .badPattern(reason: Self.reason(failure), offset: offset)
    }
    // Where the system allows no new code in memory, the interpreter runs the pattern.
    unsafe pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    guard let data = unsafe pcre2_match_data_create_8(1, nil) else {
      unsafe pcre2_code_free_8(code)
      throw .badPattern(reason: "no memory is left", offset: 0)
    }
    guard let context = unsafe pcre2_match_context_create_8(nil) else {
      unsafe pcre2_match_data_free_8(data)
      unsafe pcre2_code_free_8(code)
      throw .badPattern(reason: "no memory is left", offset: 0)
    }
    unsafe pcre2_set_heap_limit_8(context, Self.heapLimit)
    let stack = unsafe pcre2_jit_stack_create_8(Self.stackBytes.first, Self.stackBytes.most, nil)
    unsafe pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
    unsafe self.code = code
    unsafe self.data = data
    unsafe self.context = context
    unsafe self.stack = stack
  }

  deinit {
    unsafe pcre2_jit_stack_free_8(stack)
    unsafe pcre2_match_context_free_8(context)
    unsafe pcre2_match_data_free_8(data)
    unsafe pcre2_code_free_8(code)
  }

  private static func reason(_ code: Int32) -> String {
    var text = [UInt8](repeating: 0, count: 256)
    let length = unsafe pcre2_get_error_message_8(code, &text, text.count)
    return String(decoding: text.prefix(max(Int(length), 0)), as: UTF8.self)
  }

  /// Looks for the next match.
  ///
  /// - Parameters:
  ///   - memory: The text.
  ///   - count: Its bytes.
  ///   - from: The first place at which a match may begin.
  ///   - last: The last such place.
  /// - Returns: What was found.
  @unsafe
  func next(in memory: UnsafeRawPointer, count: Int, from: Int, last: Int) -> Answer {
    let steps = Self.leastSteps &+ 4 &* UInt32(clamping: min(count, 1 << 28))
    unsafe pcre2_set_match_limit_8(context, steps)
    unsafe pcre2_set_offset_limit_8(context, last)
    let text = unsafe memory.assumingMemoryBound(to: UInt8.self)
    let result = unsafe pcre2_match_8(code, text, count, from, PCRE2_NOTEMPTY, data, context)
    if result == PCRE2_ERROR_NOMATCH { return .none }
    guard result >= 0, let ends = unsafe pcre2_get_ovector_pointer_8(data) else {
      return .tooCostly
    }
    let (start, end) = unsafe (ends[0], ends[1])
    // `\K` can move the start behind the end.
    guard start < end, end <= count else { return .none }
    return .found(start..<end)
  }
}
