public import TermindApplication

/// Decides whether a prompt asks for the account's password, and not for a code.
public enum PasswordPrompt {
  /// Whether a saved or typed password may answer a prompt.
  ///
  /// Only a masked prompt that names a password in a known language, and mentions neither a code nor
  /// a change of password, qualifies. Anything else is the person's to answer.
  public static func accepts(_ prompt: CredentialPrompt) -> Bool {
    guard !prompt.echoes, prompt.text.utf8.count <= 512 else { return false }
    let text = prompt.text.lowercased()
    return passwordWords.contains(where: text.contains)
      && !otherSecretWords.contains(where: text.contains)
  }

  private static let passwordWords = [
    "password", "passwort", "kennwort", "mot de passe", "contraseña", "senha", "parola",
    "wachtwoord",
    "lösenord", "adgangskode", "passord", "salasana", "hasło", "heslo", "jelszó", "пароль", "şifre",
    "parolă", "κωδικός", "密码", "密碼", "口令", "パスワード", "암호", "비밀번호",
  ]

  private static let otherSecretWords = [
    "one-time", "one time", "onetime", "otp", "token", "code", "passcode", "verification", "verify",
    "2fa", "mfa", "second factor", "two-factor", "authenticator", "yubikey", "duo", "securid",
    "challenge", "pin", "einmal", "à usage unique", "un solo uso", "одноразов", "动态", "一次性",
    "ワンタイム",
    "new ", "retype", "again", "change", "current", "old ", "expired", "neues", "passphrase",
  ]
}
