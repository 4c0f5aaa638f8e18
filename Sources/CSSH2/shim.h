// libssh2, and what Swift cannot import of it: types that exist only as function-like macros, and callbacks
// that are passed as `void *`.
#ifndef TERMIND_CSSH2_SHIM_H
#define TERMIND_CSSH2_SHIM_H

#include <libssh2.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

typedef LIBSSH2_SEND_FUNC((*tm_ssh2_send));
typedef LIBSSH2_RECV_FUNC((*tm_ssh2_receive));
typedef LIBSSH2_DISCONNECT_FUNC((*tm_ssh2_disconnect));

// libssh2_session_callback_set takes every callback as `void *`.
static inline void tm_ssh2_set_callbacks(LIBSSH2_SESSION *session, tm_ssh2_send send,
                                         tm_ssh2_receive receive, tm_ssh2_disconnect disconnect) {
  libssh2_session_callback_set(session, LIBSSH2_CALLBACK_SEND, (void *)send);
  libssh2_session_callback_set(session, LIBSSH2_CALLBACK_RECV, (void *)receive);
  libssh2_session_callback_set(session, LIBSSH2_CALLBACK_DISCONNECT, (void *)disconnect);
}

// Signals came with 1.11; older ones have no call that could carry the request.
static inline int tm_ssh2_can_signal(void) {
#if LIBSSH2_VERSION_NUM >= 0x010b00
  return 1;
#else
  return 0;
#endif
}

static inline int tm_ssh2_signal(LIBSSH2_CHANNEL *channel, const char *name, size_t length) {
#if LIBSSH2_VERSION_NUM >= 0x010b00
  return libssh2_channel_signal_ex(channel, name, length);
#else
  (void)channel, (void)name, (void)length;
  return LIBSSH2_ERROR_METHOD_NOT_SUPPORTED;
#endif
}

// explicit_bzero is hidden without _DEFAULT_SOURCE in some modes; the compiler may not drop this one.
static inline void tm_wipe(void *memory, size_t count) {
  memset(memory, 0, count);
  __asm__ __volatile__("" : : "r"(memory) : "memory");
}

#endif
