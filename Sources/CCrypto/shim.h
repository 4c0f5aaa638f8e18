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
#include <openssl/rsa.h>

// A macro that is built from other macros with a cast.
static inline int tm_keypair_selection(void) { return EVP_PKEY_KEYPAIR; }

// The library and the reason packed into an error number; macros in some versions of the header.
static inline int tm_error_library(unsigned long code) { return ERR_GET_LIB(code); }
static inline int tm_error_reason(unsigned long code) { return ERR_GET_REASON(code); }
static inline int tm_reason_unsupported(void) { return ERR_GET_REASON(ERR_R_UNSUPPORTED); }

#endif
