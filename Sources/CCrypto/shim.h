// OpenSSL 3 libcrypto: digests, ciphers and asymmetric keys through EVP only. The deprecated names
// of older versions are hidden, so that they cannot be used by accident.
#ifndef TERMIND_CCRYPTO_SHIM_H
#define TERMIND_CCRYPTO_SHIM_H

#ifndef OPENSSL_NO_DEPRECATED
#define OPENSSL_NO_DEPRECATED
#endif

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>

// The code packed into an error number; ERR_GET_REASON is a static inline with casts in older
// headers and a macro in others.
static inline int tm_error_reason(unsigned long code) { return ERR_GET_REASON(code); }

#endif
