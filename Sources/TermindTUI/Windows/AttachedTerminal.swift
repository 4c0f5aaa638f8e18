import TermindDomain
import TermindPresentation
import TermindScreen

/// Takes what a person does in the terminal of a window.
protocol AttachedTerminalDelegate: AnyObject {
  /// A key, a click, a paste.
  func terminal(_ terminal: AttachedTerminal, received event: InputEvent)
  /// Everything has to be drawn: the size changed, or a frame was dropped before.
  func terminalNeedsFrame(_ terminal: AttachedTerminal)
  /// The terminal's size is another one.
  func terminalResized(_ terminal: AttachedTerminal)
  /// The terminal left; the window lives on without one.
  func terminalEnded(_ terminal: AttachedTerminal, _ end: TTYEnd)
}

/// A window's terminal: decodes what is typed, and turns canvases into the shortest output.
///
/// A terminal that does not keep up gets fewer frames, never older ones.
final class AttachedTerminal: TTYConnectionDelegate {
  /// Bytes that may wait for the next frame beside its picture: bells, titles, clipboard texts.
  private static let noticeLimit = 4 * 1024 * 1024

  weak var delegate: (any AttachedTerminalDelegate)?
  private(set) var capabilities: ScreenCapabilities
  private let connection: TTYConnection
  private var decoder: InputDecoder
  private var writer: FrameWriter
  private var canvas: Canvas
  private var notices: [UInt8] = []
  private var mouse = ScreenSession.MouseReports.drag
  private var keyboard = ScreenSession.KeyboardFlags.usual
  private var shownTitle = ""
  private var isBellDue = false
  private var isFrameDue = false
  private var isStarted = false
  private var inputTimeout: Task<Void, Never>?

  init(_ connection: TTYConnection) {
    self.connection = connection
    capabilities = ScreenCapabilities(environment: connection.request.environment)
    decoder = InputDecoder(capabilities: capabilities)
    writer = FrameWriter(capabilities: capabilities)
    canvas = Canvas(rows: connection.size.rows, columns: connection.size.columns)
    connection.delegate = self
  }

  /// The terminal's size, the newest.
  var size: TerminalDimensions { connection.size }
  /// Why nothing can be shown here; `nil` when something can.
  var problem: String? {
    guard !capabilities.isAddressable else { return nil }
    let name = request.environment["TERM"] ?? ""
    if name.isEmpty { return "TERM is not set. Set it to the name of your terminal." }
    return
      "A terminal of the type '\(name)' cannot place its cursor. Use another one, or correct TERM."
  }
  /// What the client asked for.
  var request: AttachRequest { connection.request }

  /// Takes the terminal over; the first frame goes out with these bytes.
  ///
  /// A terminal that another window of the server had is only drawn anew.
  func start() {
    guard !isStarted else { return writer.invalidate() }
    isStarted = true
    connection.accept(leave: ScreenSession.leave(capabilities))
    notices = ScreenSession.enter(capabilities, mouse: mouse) + ScreenSession.queries(capabilities)
  }

  /// Draws a frame, unless the last one is still on its way: then one is drawn when it is out.
  ///
  /// - Parameters:
  ///   - keepsLast: Whether a part of the last frame may be wanted, which costs a copy of it.
  ///   - body: Draws all of it; it may look at the last frame to keep a part of that.
  /// - Returns: Whether the terminal was sent anything.
  @discardableResult
  func draw(keepingLast keepsLast: Bool, _ body: (inout Canvas, _ last: Canvas?) -> Void) -> Bool {
    present {
      let last = keepsLast ? canvas : nil
      canvas.beginFrame(rows: size.rows, columns: size.columns)
      body(&canvas, last)
    }
  }

  /// Whether the next frame may draw over the last one.
  var keepsFrame: Bool {
    canvas.rows == size.rows && canvas.columns == size.columns && !canvas.needsRenewal
  }

  /// Draws a part of the window over the last frame, where `keepsFrame` says so.
  ///
  /// - Parameter body: Draws what has changed.
  /// - Returns: Whether the terminal was sent anything.
  func redraw(_ body: (inout Canvas) -> Void) -> Bool { present { body(&canvas) } }

  private func present(_ paint: () -> Void) -> Bool {
    guard connection.isWritable else {
      isFrameDue = true
      return false
    }
    isFrameDue = false
    paint()
    var bytes = notices + pendingSigns()
    notices = []
    let picture = writer.frame(canvas)
    if bytes.isEmpty { bytes = picture } else { bytes += picture }
    if !bytes.isEmpty { connection.write(bytes) }
    return !bytes.isEmpty
  }

  private func pendingSigns() -> [UInt8] {
    var bytes: [UInt8] = []
    if isBellDue { bytes += ScreenSession.bell() }
    isBellDue = false
    if title != shownTitle { bytes += ScreenSession.title(title, capabilities) }
    shownTitle = title
    return bytes
  }

  /// Sends bytes that are no picture with the next frame.
  ///
  /// - Returns: Whether there was room for them.
  @discardableResult
  func notify(_ bytes: [UInt8]) -> Bool {
    guard notices.count + bytes.count <= Self.noticeLimit else { return false }
    notices += bytes
    delegate?.terminalNeedsFrame(self)
    return true
  }

  /// Asks the terminal for more or fewer mouse reports.
  func setMouse(_ reports: ScreenSession.MouseReports) {
    guard reports != mouse else { return }
    mouse = reports
    notify(ScreenSession.mouse(reports))
  }

  /// Asks the terminal to tell more keys apart, where it knows the keyboard protocol.
  func setKeyboard(_ flags: ScreenSession.KeyboardFlags) {
    guard flags != keyboard, capabilities.kittyKeyboard else { return }
    keyboard = flags
    notices += ScreenSession.keyboard(flags, capabilities)
  }

  /// The title that the terminal is to have; it goes out with the next frame.
  var title = ""

  /// Rings the terminal's bell with the next frame, once however often it is asked for until then.
  func ring() {
    isBellDue = true
    delegate?.terminalNeedsFrame(self)
  }

  /// Forgets what the terminal shows, so that the next frame draws all of it.
  func repaint() {
    writer.invalidate()
    delegate?.terminalNeedsFrame(self)
  }

  /// Stops the client as Ctrl-Z does with any program.
  func suspend() { connection.stop() }

  /// Gives the terminal back with a closing line.
  func close(text: String, status: UInt8 = 0) {
    inputTimeout?.cancel()
    connection.close(text: text, status: status)
  }

  // MARK: TTYConnectionDelegate

  func terminal(_ terminal: TTYConnection, received bytes: [UInt8]) {
    deliver(decoder.feed(bytes))
  }

  func terminalResized(_ terminal: TTYConnection) { delegate?.terminalResized(self) }

  func terminalBecameWritable(_ terminal: TTYConnection) {
    if isFrameDue || !notices.isEmpty { delegate?.terminalNeedsFrame(self) }
  }

  func terminalResumed(_ terminal: TTYConnection) {
    notices = ScreenSession.enter(capabilities, mouse: mouse) + notices
    // The title that we had set was given back with everything else.
    shownTitle = ""
    keyboard = .usual
    writer.invalidate()
    delegate?.terminalResized(self)
  }

  func terminalEnded(_ terminal: TTYConnection, _ end: TTYEnd) {
    inputTimeout?.cancel()
    delegate?.terminalEnded(self, end)
  }

  // MARK: Input

  private func deliver(_ events: [InputEvent]) {
    inputTimeout?.cancel()
    for event in events {
      if case .reply(let reply) = event {
        apply(reply)
      } else {
        delegate?.terminal(self, received: event)
      }
    }
    guard let wait = decoder.pendingTimeout else { return }
    inputTimeout = Task { [weak self] in
      // Cancelled means that more input came.
      guard (try? await Task.sleep(for: wait)) != nil, let self else { return }
      deliver(decoder.timeout())
    }
  }

  private static func isDark(_ color: ScreenColor) -> Bool? {
    guard case .rgb(let red, let green, let blue) = color else { return nil }
    return ThemeColor(red: red, green: green, blue: blue).luminance < 0.4
  }

  /// Learns from an answer of the terminal, and turns on what it adds.
  private func apply(_ reply: TerminalReply) {
    var learned = capabilities
    guard learned.apply(reply), learned != capabilities else { return }
    if let background = learned.defaultBackground, background != capabilities.defaultBackground,
      let isDark = Self.isDark(background)
    {
      delegate?.terminal(self, received: .colorScheme(dark: isDark))
    }
    notify(ScreenSession.change(from: capabilities, to: learned))
    capabilities = learned
    decoder.adopt(learned)
    writer.capabilities = learned
    connection.setLeave(ScreenSession.leave(learned))
    delegate?.terminalNeedsFrame(self)
  }
}
