// The terminfo database through ncurses. Only the low-level terminfo calls are used: nothing here ever
// opens, reads or writes a terminal.
#ifndef TERMIND_CNCURSES_SHIM_H
#define TERMIND_CNCURSES_SHIM_H

#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1

#include <ncurses.h>
#include <stdlib.h>
#include <term.h>

// setupterm and tigetstr take `char *` for names that they only read, and setupterm calls exit() when no
// error pointer is given; these three keep both in one place.
static inline TERMINAL *tm_terminfo_open(const char *name) {
  TERMINAL *before = set_curterm(NULL);
  int status = 0;
  TERMINAL *opened = NULL;
  if (setupterm((char *)name, -1, &status) == OK && status == 1) opened = cur_term;
  set_curterm(before);
  return opened;
}

// Makes an entry the current one and returns the one before it. `cur_term` is a mutable C global.
static inline TERMINAL *tm_terminfo_select(TERMINAL *terminal) { return set_curterm(terminal); }

static inline void tm_terminfo_close(TERMINAL *terminal) { del_curterm(terminal); }

// A string capability, or NULL when it is absent (tigetstr returns -1 cast to a pointer when the name is
// not a string capability).
static inline const char *tm_terminfo_string(const char *name) {
  char *found = tigetstr((char *)name);
  return found == (char *)-1 ? NULL : found;
}

// A flag: 1 when set. tigetflag returns -1 when the name is not a flag.
static inline int tm_terminfo_flag(const char *name) { return tigetflag((char *)name) == 1; }

// A number, or -1 when it is absent (tigetnum also uses -2).
static inline int tm_terminfo_number(const char *name) {
  int found = tigetnum((char *)name);
  return found < 0 ? -1 : found;
}

#endif
