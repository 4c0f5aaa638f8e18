// libsecret, which talks to the desktop's keyring, and the few calls of GLib that go with it.
//
// Nothing is linked: GLib cannot sensibly be linked statically, and loading it would cost every start of
// the program more than its first frame. The library is opened in the process of the keyring's helper
// (Docs/Decisions/0009-secrets.md). So its types and calls are declared here, as far as they are used; the
// names are the library's own, and opaque objects are `void *`. Its ABI is fixed by `.so.0`.
#ifndef TERMIND_CSECRET_SHIM_H
#define TERMIND_CSECRET_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define TM_SECRET_FILE "libsecret-1.so.0"

// GList.
typedef struct tm_list {
  void *data;
  struct tm_list *next;
  struct tm_list *previous;
} tm_list;

// GError.
typedef struct tm_error {
  uint32_t domain;
  int code;
  char *message;
} tm_error;

// SecretSchema.
typedef struct tm_schema {
  const char *name;
  int flags;
  struct {
    const char *name;
    int type;
  } attributes[32];
  int reserved;
  void *reserved_pointers[7];
} tm_schema;

// Result, name, parameters. GLib's gboolean and enumerations are int, its quarks uint32_t.
#define TM_SECRET_CALLS(CALL)                                                                      \
  CALL(void, g_object_unref, (void *))                                                             \
  CALL(void, g_error_free, (tm_error *))                                                           \
  CALL(void, g_free, (void *))                                                                     \
  CALL(char *, g_strdup, (const char *))                                                           \
  CALL(uint32_t, g_io_error_quark, (void))                                                         \
  CALL(tm_list *, g_list_prepend, (tm_list *, void *))                                             \
  CALL(void, g_list_free, (tm_list *))                                                             \
  CALL(unsigned, g_str_hash, (const void *))                                                       \
  CALL(int, g_str_equal, (const void *, const void *))                                             \
  CALL(void *, g_hash_table_new_full,                                                              \
       (unsigned (*)(const void *), int (*)(const void *, const void *), void (*)(void *),         \
        void (*)(void *)))                                                                         \
  CALL(int, g_hash_table_insert, (void *, void *, void *))                                         \
  CALL(void *, g_hash_table_lookup, (void *, const void *))                                        \
  CALL(void, g_hash_table_unref, (void *))                                                         \
  CALL(uint32_t, secret_error_get_quark, (void))                                                   \
  CALL(void *, secret_service_get_sync, (int, void *, tm_error **))                                \
  CALL(tm_list *, secret_service_search_sync,                                                      \
       (void *, const tm_schema *, void *, int, void *, tm_error **))                              \
  CALL(int, secret_service_store_sync,                                                             \
       (void *, const tm_schema *, void *, const char *, const char *, void *, void *,             \
        tm_error **))                                                                              \
  CALL(int, secret_service_lock_sync, (void *, tm_list *, void *, tm_list **, tm_error **))        \
  CALL(int, secret_service_unlock_sync, (void *, tm_list *, void *, tm_list **, tm_error **))      \
  CALL(void *, secret_collection_for_alias_sync,                                                   \
       (void *, const char *, int, void *, tm_error **))                                           \
  CALL(void *, secret_collection_create_sync,                                                      \
       (void *, const char *, const char *, int, void *, tm_error **))                             \
  CALL(int, secret_collection_get_locked, (void *))                                                \
  CALL(void *, secret_item_get_attributes, (void *))                                               \
  CALL(char *, secret_item_get_label, (void *))                                                    \
  CALL(int, secret_item_get_locked, (void *))                                                      \
  CALL(void *, secret_item_get_secret, (void *))                                                   \
  CALL(int, secret_item_delete_sync, (void *, void *, tm_error **))                                \
  CALL(int, secret_item_set_secret_sync, (void *, void *, void *, tm_error **))                    \
  CALL(void *, secret_value_new, (const char *, ptrdiff_t, const char *))                          \
  CALL(const char *, secret_value_get, (void *, size_t *))                                         \
  CALL(void, secret_value_unref, (void *))

// One pointer for each call, by its own name.
typedef struct tm_secret_library {
#define TM_SECRET_MEMBER(result, name, parameters) result(*name) parameters;
  TM_SECRET_CALLS(TM_SECRET_MEMBER)
#undef TM_SECRET_MEMBER
} tm_secret_library;

// dlsym gives a data pointer for a function, a cast that Swift does not make. Opens the library and
// finds every call; NULL, or the loader's text, which is valid until the next call of the loader.
static inline const char *tm_secret_load(const char *file, tm_secret_library *library) {
  void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return dlerror();
#define TM_SECRET_FIND(result, name, parameters)                                                   \
  *(void **)&library->name = dlsym(handle, #name);                                                 \
  if (library->name == NULL) return dlerror();
  TM_SECRET_CALLS(TM_SECRET_FIND)
#undef TM_SECRET_FIND
  return NULL;
}

// Two pointers of the library to its own calls.
static inline void *tm_secret_new_attributes(const tm_secret_library *library) {
  return library->g_hash_table_new_full(library->g_str_hash, library->g_str_equal, library->g_free,
                                        library->g_free);
}

// Arrays of structures import as tuples of 32 members.
static inline void tm_secret_set_attribute(tm_schema *schema, int place, const char *name) {
  schema->attributes[place].name = name;
  schema->attributes[place].type = 0;
}

#endif
