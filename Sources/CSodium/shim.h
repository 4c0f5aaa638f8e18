// libsodium: Argon2id, XChaCha20-Poly1305, BLAKE2b, random bytes, guarded memory. Nothing needs a shim.
#ifndef TERMIND_CSODIUM_SHIM_H
#define TERMIND_CSODIUM_SHIM_H

#include <sodium.h>

#endif
