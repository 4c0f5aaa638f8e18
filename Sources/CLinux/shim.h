// The system's own calls that Swift cannot import: function-like macros, variadic functions, and
// names that glibc hides without _GNU_SOURCE. Each shim says which. _GNU_SOURCE is not defined here:
// it changes structures (fd_set), and Swift then refuses a file that imports Glibc beside this module.
#ifndef TERMIND_CLINUX_SHIM_H
#define TERMIND_CLINUX_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// pthread_setname_np needs _GNU_SOURCE; a name of more than 15 bytes is refused.
extern int pthread_setname_np(pthread_t thread, const char *name);
static inline int tm_thread_set_name(const char *name) {
  return pthread_setname_np(pthread_self(), name);
}

// Dispatch's main queue for a thread that waits itself, as Foundation's run loop does on Linux; no header has them.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);
// An eventfd, readable while the main queue has work.
static inline int tm_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }
// Runs what the main queue holds now; to be called on the main thread only.
static inline void tm_run_main_queue(void) { _dispatch_main_queue_callback_4CF(NULL); }

// fcntl is variadic.
static inline int tm_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

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
static inline int tm_get_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

// prctl is variadic. Has the kernel send this process a signal when the thread that started it ends.
static inline int tm_end_with_parent(int signal_number) {
  return prctl(PR_SET_PDEATHSIG, signal_number, 0, 0, 0);
}

// syscall is variadic, and gettid needs _GNU_SOURCE.
#include <sys/syscall.h>
static inline int tm_thread_id(void) { return (int)syscall(SYS_gettid); }

// The CMSG macros do not import. Sends bytes with up to eight descriptors; a closed peer is an
// error, never SIGPIPE.
static inline ssize_t tm_send(int socket, const void *bytes, size_t count, const int *descriptors,
                              int descriptor_count) {
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {0};
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))];
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor_count > 8) {
    errno = EINVAL;
    return -1;
  }
  if (descriptor_count > 0) {
    memset(control, 0, sizeof control);
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE((size_t)descriptor_count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN((size_t)descriptor_count * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, (size_t)descriptor_count * sizeof(int));
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

// Receives bytes and up to eight descriptors, each marked close-on-exec; the kernel drops what does
// not fit.
static inline ssize_t tm_receive(int socket, void *bytes, size_t count, int *descriptors,
                                 int *descriptor_count) {
  struct iovec part = {bytes, count};
  struct msghdr message = {0};
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))];
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  *descriptor_count = 0;
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < found && *descriptor_count < 8; index++) {
      memcpy(&descriptors[*descriptor_count], CMSG_DATA(header) + index * sizeof(int), sizeof(int));
      *descriptor_count += 1;
    }
  }
  return received;
}

// struct ucred needs _GNU_SOURCE; its layout is the kernel's.
static inline int tm_peer_credentials(int socket, uid_t *user, pid_t *process) {
  struct {
    pid_t pid;
    uid_t uid;
    gid_t gid;
  } credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
  *user = credentials.uid;
  *process = credentials.pid;
  return 0;
}

// struct sockaddr_un casts and offsetof do not import. The path must be shorter than 108 bytes.
static inline int tm_bind_path(int socket, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  return bind(socket, (const struct sockaddr *)&address, sizeof address);
}

static inline int tm_connect_path(int socket, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  return connect(socket, (const struct sockaddr *)&address, sizeof address);
}

// SOCK_STREAM and its flags import as enumeration cases that do not combine.
static inline int tm_stream_socket(int nonblocking) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (nonblocking ? SOCK_NONBLOCK : 0), 0);
}

static inline int tm_stream_pair(int pair[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
}

// accept4 needs _GNU_SOURCE.
extern int accept4(int socket, struct sockaddr *address, socklen_t *size, int flags);
static inline int tm_accept(int socket) {
  return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

// siginfo_t's members are macros. Returns 1 once the process ended (and reaps it), 0 before, -1 on
// error; `signalled` tells whether `status` is a signal number.
static inline int tm_reap(int process_descriptor, int *status, int *signalled) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  if (waitid(P_PIDFD, (id_t)process_descriptor, &info, WEXITED | WNOHANG) != 0) return -1;
  if (info.si_pid == 0) return 0;
  *status = info.si_status;
  *signalled = info.si_code != CLD_EXITED;
  return 1;
}

// sigabbrev_np is a glibc extension: "TERM" for SIGTERM, NULL for an unknown number.
extern const char *sigabbrev_np(int number);
static inline const char *tm_signal_name(int number) { return sigabbrev_np(number); }

// ioctl is variadic.
static inline int tm_foreground_group(int descriptor) {
  pid_t group = 0;
  if (ioctl(descriptor, TIOCGPGRP, &group) != 0) return -1;
  return group;
}

// fcntl is variadic.
static inline int tm_status_flags(int descriptor) { return fcntl(descriptor, F_GETFL); }

static inline int tm_set_status_flags(int descriptor, int flags) {
  return fcntl(descriptor, F_SETFL, flags);
}

static inline int tm_duplicate_from(int descriptor, int lowest) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, lowest);
}

// Signal dispositions are function-pointer casts in macros.
static inline int tm_ignore_signal(int number) { return signal(number, SIG_IGN) == SIG_ERR; }

static inline int tm_default_signal(int number) { return signal(number, SIG_DFL) == SIG_ERR; }

// A handler that does nothing, installed without SA_RESTART, so that SIGALRM ends a blocking call.
static inline void tm_no_operation(int number) { (void)number; }

static inline int tm_interrupting_signal(int number) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = tm_no_operation;
  return sigaction(number, &action, NULL);
}

// Names that glibc hides without _GNU_SOURCE or _XOPEN_SOURCE. Opens a pseudo-terminal's master and
// gives the path of the other side.
extern int posix_openpt(int flags);
extern int grantpt(int descriptor);
extern int unlockpt(int descriptor);
extern int ptsname_r(int descriptor, char *path, size_t size);
static inline int tm_open_pseudo_terminal(char *path, size_t size) {
  int descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  if (grantpt(descriptor) == 0 && unlockpt(descriptor) == 0 &&
      ptsname_r(descriptor, path, size) == 0)
    return descriptor;
  int code = errno;
  close(descriptor);
  errno = code;
  return -1;
}

extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions,
                                                const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
static inline int tm_spawn_set_directory(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

static inline int tm_spawn_close_from(posix_spawn_file_actions_t *actions, int from) {
  return posix_spawn_file_actions_addclosefrom_np(actions, from);
}

// POSIX_SPAWN_SETSID (0x80) needs _GNU_SOURCE. A session of its own, default signals, none blocked.
static inline int tm_spawn_set_own_session(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  return posix_spawnattr_setflags(attributes,
                                  0x80 | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

// Names that glibc hides without _GNU_SOURCE: a rename that never replaces, and a copy inside the kernel.
extern int renameat2(int from_directory, const char *from, int to_directory, const char *to,
                     unsigned int flags);
static inline int tm_rename_new(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, 1 /* RENAME_NOREPLACE */);
}

extern ssize_t copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset,
                               size_t length, unsigned int flags);
static inline ssize_t tm_copy_range(int from, int to, off_t offset, size_t length) {
  off_t from_offset = offset;
  off_t to_offset = offset;
  return copy_file_range(from, &from_offset, to, &to_offset, length, 0);
}

#endif
