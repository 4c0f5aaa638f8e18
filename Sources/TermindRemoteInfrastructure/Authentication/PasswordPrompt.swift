public import TermindApplication

/// Decides whether a prompt asks for the account's password, and not for a code.
public enum PasswordPrompt {
  /// Whether a saved or typed password may answer a prompt.
  ///
  /// Only a masked prompt that names a password in a known language, and mentions neither a code nor
  /// a change of password, qualifies. Anything else is the person's to answer.
  public static func accepts(_ prompt: CredentialPrompt) -> Bool {
    guard !prompt.echoes, prompt.text.utf8.count <= 512 else { return false }
    var text = prompt.text.lowercased()
    // `me@code-server's password:` names the account; it says nothing about the secret.
    if let account = text.firstRange(of: "'s password") {
      text = String(text[text.index(after: account.lowerBound)...])
    }
    guard passwordWords.contains(where: text.contains),
      !otherSecretPhrases.contains(where: text.contains)
    else { return false }
    let words = text.split { !$0.isLetter && !$0.isNumber }
    return !words.contains { otherSecretWords.contains(String($0)) }
  }

  private static let passwordWords = [
    "password", "passwort", "kennwort", "mot de passe", "contraseña", "senha", "parola",
    "wachtwoord", "lösenord", "adgangskode", "passord", "salasana", "hasło", "heslo", "jelszó",
    "пароль", "şifre", "parolă", "κωδικός", "密码", "密碼", "口令", "パスワード", "암호", "비밀번호",
  ]

  /// Parts of words, or several words.
  private static let otherSecretPhrases = [
    "one-time", "one time", "onetime", "passcode", "verif", "authenticator", "yubikey", "securid",
    "second factor", "two-factor", "einmal", "à usage unique", "un solo uso", "одноразов", "动态",
    "一次性", "ワンタイム", "passphrase",
  ]

  /// Whole words.
  private static let otherSecretWords: Set<String> = [
    "otp", "totp", "hotp", "token", "code", "codes", "2fa", "mfa", "duo", "challenge", "response",
    "pin", "new", "retype", "again", "change", "current", "old", "expired", "neues", "altes",
    "nouveau", "nueva", "oath",
  ]
}
