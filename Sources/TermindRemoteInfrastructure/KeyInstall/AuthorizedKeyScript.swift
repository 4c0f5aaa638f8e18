internal import TermindDomain

/// The script that puts a key into `authorized_keys`, and what it answers.
///
/// It uses what POSIX has and nothing else; each answer is one line that begins with a mark of this run.
enum AuthorizedKeyScript {
  static func text(_ key: SSHPublicKey, comment: String, mark: String) -> String {
    """
    umask 077
    LC_ALL=C; export LC_ALL
    mark=\(ShellQuoting.single(mark))
    key=\(ShellQuoting.single(Base64Codec.encode(key.blob)))
    line=\(ShellQuoting.single(key.line(comment: comment)))
    answer() { printf '%s %s\\n' "$mark" "$1"; exit "$2"; }
    [ -n "${HOME:-}" ] && [ -d "$HOME" ] || answer 'failed home' 1
    dir=$HOME/.ssh
    # OpenWrt's server looks for root's keys elsewhere.
    if [ -f /etc/openwrt_release ] && [ "$(id -u)" = 0 ]; then dir=/etc/dropbear; fi
    file=$dir/authorized_keys
    [ -d "$dir" ] || mkdir "$dir" || answer 'failed directory' 1
    if [ -e "$file" ]; then
      [ -f "$file" ] && [ -r "$file" ] || answer 'failed reading' 1
      found=$(grep -v '^[[:blank:]]*#' "$file" | grep -F -e "$key" | head -n 1)
      if [ -n "$found" ]; then
        set -f; set -- $found
        [ "$2" = "$key" ] && answer 'there plain' 0
        answer 'there options' 0
      fi
    fi
    start=
    if [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ]; then
      start='
    '
    fi
    printf '%s%s\\n' "$start" "$line" >> "$file" || answer 'failed writing' 1
    grep -F -e "$key" "$file" > /dev/null || answer 'failed writing' 1
    if [ "$dir" = "$HOME/.ssh" ]; then chmod 700 "$dir" || answer 'failed permissions' 1; fi
    chmod 600 "$file" || answer 'failed permissions' 1
    if command -v restorecon > /dev/null 2>&1; then restorecon -F "$dir" "$file" > /dev/null 2>&1; fi
    answer installed 0

    """
  }

  /// The answer in a script's output; nil when there is none.
  ///
  /// - Throws: The step that failed, with what the host wrote to standard error.
  static func result(
    _ output: String,
    errors: String,
    mark: String
  ) throws(AuthorizedKeyError) -> AuthorizedKeyOutcome? {
    let lines = output.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard let place = lines.lastIndex(where: { $0.hasPrefix("\(mark) ") }) else { return nil }
    let words = lines[place].dropFirst(mark.count + 1).split(separator: " ")
    switch words.first {
    case "installed": return .installed
    case "there": return .alreadyThere(hasOptions: words.last != "plain")
    case "failed":
      guard let step = words.last.flatMap({ AuthorizedKeyError.Step(rawValue: String($0)) }) else {
        return nil
      }
      throw .failed(step, text: String(errors.suffix(1000)))
    default: return nil
    }
  }
}
