#pragma once
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast in a macro. */
static inline int tm_sqlite3_bind_text_copy(sqlite3_stmt *statement, int index,
                                            const char *bytes, int length) {
  return sqlite3_bind_text(statement, index, bytes, length, SQLITE_TRANSIENT);
}

/* SQLITE_TRANSIENT is a cast in a macro. */
static inline int tm_sqlite3_bind_blob_copy(sqlite3_stmt *statement, int index,
                                            const void *bytes, int length) {
  return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

/* sqlite3_db_config is variadic. */
static inline int tm_sqlite3_set_defensive(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/* sqlite3_db_config is variadic. */
static inline int tm_sqlite3_set_checkpoint_on_close(sqlite3 *database, int is_on) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !is_on, (int *)0);
}
