import Glibc

/// A FIDO key without a token: a provider for OpenSSH, built here, that keeps the private half in the key handle.
///
/// It signs once it is touched.
public struct SecurityKey: Sendable {
  /// The provider, for `SecurityKeyProvider`.
  public let provider: String
  /// The private key file; its public half is beside it.
  public let file: String
  private let folder: TemporaryFolder

  /// Builds the provider and makes a key in a folder.
  ///
  /// - Throws: A `TestFailure` when there is no C compiler, or no OpenSSL for it; both come with `Scripts/setup`.
  public init(in folder: TemporaryFolder) async throws {
    self.folder = folder
    let source = try folder.write("provider.c", Self.source)
    provider = folder.file("provider.so")
    file = folder.file("token_key")
    let compilers: [String] = ["/usr/bin/cc", "/usr/bin/clang"]
    guard let compiler = compilers.first(where: { (path: String) in access(path, X_OK) == 0 })
    else { throw TestFailure("no C compiler") }
    try await TestProgram.run(
      compiler,
      [
        "-shared", "-fPIC", "-DTOUCHED=\"\(folder.file(Self.touched))\"", "-o", provider, source,
        "-lcrypto",
      ]
    )
    try await TestProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-t", "ed25519-sk", "-N", "", "-w", provider, "-f", file]
    )
  }

  /// Touches it: from now on it signs.
  public func touch() throws { try folder.write(Self.touched, "") }

  private static let touched = "touched"

  private static let source = #"""
    #include <openssl/evp.h>
    #include <openssl/sha.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    struct option;
    struct enrolled {
      uint8_t flags;
      uint8_t *key; size_t key_size;
      uint8_t *handle; size_t handle_size;
      uint8_t *signature; size_t signature_size;
      uint8_t *certificate; size_t certificate_size;
      uint8_t *data; size_t data_size;
    };
    struct signed_data {
      uint8_t flags;
      uint32_t counter;
      uint8_t *first; size_t first_size;
      uint8_t *second; size_t second_size;
    };

    uint32_t sk_api_version(void) { return 0x000a0000; }

    int sk_enroll(uint32_t algorithm, const uint8_t *challenge, size_t challenge_size, const char *application,
                  uint8_t flags, const char *pin, struct option **options, struct enrolled **answer) {
      (void)challenge, (void)challenge_size, (void)application, (void)pin, (void)options;
      if (algorithm != 1) return -2;
      EVP_PKEY *pair = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
      struct enrolled *made = calloc(1, sizeof *made);
      made->flags = flags;
      made->key_size = made->handle_size = 32;
      made->key = malloc(32);
      made->handle = malloc(32);
      made->signature = calloc(1, 64);
      made->signature_size = 64;
      EVP_PKEY_get_raw_public_key(pair, made->key, &made->key_size);
      EVP_PKEY_get_raw_private_key(pair, made->handle, &made->handle_size);
      EVP_PKEY_free(pair);
      *answer = made;
      return 0;
    }

    int sk_sign(uint32_t algorithm, const uint8_t *data, size_t data_size, const char *application,
                const uint8_t *handle, size_t handle_size, uint8_t flags, const char *pin, struct option **options,
                struct signed_data **answer) {
      (void)pin, (void)options;
      if (algorithm != 1 || handle_size != 32) return -1;
      for (int wait = 0; access(TOUCHED, F_OK) != 0; wait++) {
        if (wait == 6000) return -1;
        usleep(10000);
      }
      uint8_t text[32 + 1 + 4 + 32] = {0};
      SHA256((const uint8_t *)application, strlen(application), text);
      text[32] = flags;
      text[36] = 7;
      SHA256(data, data_size, text + 37);
      struct signed_data *made = calloc(1, sizeof *made);
      made->flags = flags;
      made->counter = 7;
      made->first = malloc(64);
      made->first_size = 64;
      EVP_PKEY *pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, handle, handle_size);
      EVP_MD_CTX *context = EVP_MD_CTX_new();
      int done = pair && EVP_DigestSignInit(context, NULL, NULL, NULL, pair) == 1
        && EVP_DigestSign(context, made->first, &made->first_size, text, sizeof text) == 1;
      EVP_MD_CTX_free(context);
      EVP_PKEY_free(pair);
      *answer = made;
      return done ? 0 : -1;
    }

    int sk_load_resident_keys(const char *pin, struct option **options, void ***keys, size_t *count) {
      (void)pin, (void)options;
      *keys = NULL;
      *count = 0;
      return 0;
    }
    """#
}
