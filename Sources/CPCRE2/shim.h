// PCRE2 over bytes: the width of a code unit has to be chosen before the header. Nothing needs a shim.
#ifndef TERMIND_CPCRE2_SHIM_H
#define TERMIND_CPCRE2_SHIM_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#endif
