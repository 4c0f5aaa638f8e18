#ifndef TERMIND_CVTERM_SHIM_H
#define TERMIND_CVTERM_SHIM_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

// Swift cannot import VTermParserCallbacks of libvterm 0.3: its string callbacks take a bitfield struct
// by value. The gate collects strings before the parser, so those callbacks stay empty, and the four
// that are set have the same type in 0.1.4 and 0.3.

typedef int (*tm_vterm_text)(const char *bytes, size_t length, void *user);
typedef int (*tm_vterm_control)(unsigned char control, void *user);
typedef int (*tm_vterm_escape)(const char *bytes, size_t length, void *user);
typedef int (*tm_vterm_csi)(const char *leader, const long *arguments, int count,
                            const char *intermediates, char command, void *user);

// Returns a callback table to be freed with free(), or NULL. libvterm keeps the pointer.
static inline void *tm_vterm_callbacks(tm_vterm_text text, tm_vterm_control control,
                                       tm_vterm_escape escape, tm_vterm_csi csi) {
  VTermParserCallbacks *callbacks = (VTermParserCallbacks *)calloc(1, sizeof *callbacks);
  if (callbacks != NULL) {
    callbacks->text = text;
    callbacks->control = control;
    callbacks->escape = escape;
    callbacks->csi = csi;
  }
  return callbacks;
}

static inline void tm_vterm_attach(VTerm *terminal, const void *callbacks, void *user) {
  vterm_parser_set_callbacks(terminal, (const VTermParserCallbacks *)callbacks, user);
}

// Function-like macros of the header: the flag and the mark of a missing CSI argument.
static inline int tm_vterm_argument_has_more(long argument) { return CSI_ARG_HAS_MORE(argument) != 0; }
static inline long tm_vterm_argument(long argument) {
  return CSI_ARG_IS_MISSING(argument) ? -1 : (long)CSI_ARG(argument);
}

#endif
