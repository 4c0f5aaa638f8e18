// The system's own calls that Swift cannot import: function-like macros, variadic functions, and
// names that glibc hides without _GNU_SOURCE. Each shim says which. _GNU_SOURCE is not defined here:
// it changes structures (fd_set), and Swift then refuses a file that imports Glibc beside this module.
#ifndef TERMIND_CLINUX_SHIM_H
#define TERMIND_CLINUX_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

// pthread_setname_np needs _GNU_SOURCE; a name of more than 15 bytes is refused.
extern int pthread_setname_np(pthread_t thread, const char *name);
static inline int tm_thread_set_name(const char *name) {
  return pthread_setname_np(pthread_self(), name);
}

// ioctl is variadic.
static inline int tm_get_window_size(int descriptor, struct winsize *size) {
  return ioctl(descriptor, TIOCGWINSZ, size);
}

static inline int tm_set_window_size(int descriptor, const struct winsize *size) {
  return ioctl(descriptor, TIOCSWINSZ, size);
}

// fcntl is variadic.
static inline int tm_set_nonblocking(int descriptor, int enabled) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return -1;
  return fcntl(descriptor, F_SETFL, enabled ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

static inline int tm_set_close_on_exec(int descriptor, int enabled) {
  int flags = fcntl(descriptor, F_GETFD);
  if (flags < 0) return -1;
  return fcntl(descriptor, F_SETFD, enabled ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC);
}

// open is variadic.
static inline int tm_open(const char *path, int flags, mode_t mode) {
  return open(path, flags, mode);
}

// prctl is variadic. A process that is not dumpable leaves no core file and cannot be traced by
// another process of the same user.
static inline int tm_set_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// syscall is variadic, and gettid needs _GNU_SOURCE.
#include <sys/syscall.h>
static inline int tm_thread_id(void) { return (int)syscall(SYS_gettid); }

#endif
