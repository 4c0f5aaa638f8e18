internal import CLinux
internal import Glibc

/// Where the session's message bus listens.
public enum MessageBus {
  /// The address of the bus, as D-Bus writes it; nil when this session has none.
  ///
  /// No bus is ever started: a keyring that starts with it would be locked and could ask nobody.
  public static func address(environment: [String: String]) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
    let path = "\(folder)/bus"
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK,
      status.st_uid == geteuid()
    else { return nil }
    return "unix:path=\(escaped(path))"
  }

  /// Whether a question of the keyring could be shown to the person.
  public static func hasDisplay(environment: [String: String]) -> Bool {
    ["WAYLAND_DISPLAY", "DISPLAY"].contains { environment[$0]?.isEmpty == false }
  }

  // D-Bus specification, "Server Addresses": every other byte is a percent sign and two digits.
  private static func escaped(_ path: String) -> String {
    let plain = Set("-_/.\\*0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    var text = ""
    for byte in path.utf8 {
      if plain.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return text
  }
}
