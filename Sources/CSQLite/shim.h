#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import.
static inline int fmsg_sqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes)
{
    return sqlite3_bind_text64(statement, index, text, bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int fmsg_sqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *data, sqlite3_uint64 bytes)
{
    return sqlite3_bind_blob64(statement, index, data, bytes, SQLITE_TRANSIENT);
}
