#include "base/status.h"

#include "base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *cs_status_text(cs_status status)
{
    static const char *const text[] = {
#define CS_STATUS_STRING(name, words) words,
        CS_STATUS_LIST(CS_STATUS_STRING)
#undef CS_STATUS_STRING
    };
    return (unsigned)status < CS_STATUS_COUNT ? text[status] : "unknown";
}

cs_status cs_fail(cs_error *err, cs_status status, const char *format, ...)
{
    assert(status != CS_OK);
    if (!err)
        return status;
    va_list args;
    memset(err, 0, sizeof *err);
    err->status = status;
    va_start(args, format);
    vsnprintf(err->what, sizeof err->what, format, args);
    va_end(args);
    if (status == CS_MEMORY)
        cs_hint_memory(err);
    return status;
}

void cs_hint_memory(cs_error *err)
{
    size_t limit;
    cs_memory_held(&limit);
    if (limit && cs_memory_refused(false))
        cs_hint(err,
                "targets and runs may use %zu MiB in total: create fewer or "
                "smaller ones, or raise --memory",
                limit >> 20);
}

void cs_hint(cs_error *err, const char *format, ...)
{
    if (!err)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(err->hint, sizeof err->hint, format, args);
    va_end(args);
}

void cs_where(cs_error *err, const char *file, int line)
{
    if (!err || err->where[0])
        return;
    snprintf(err->where, sizeof err->where, "%s", file ? file : "");
    err->line = line;
}

void cs_error_format(const cs_error *err, char *text, unsigned long size)
{
    assert(err && size > 0);
    char place[288] = "";
    if (err->where[0] && err->line > 0)
        snprintf(place, sizeof place, "%s:%d: ", err->where, err->line);
    else if (err->where[0])
        snprintf(place, sizeof place, "%s: ", err->where);
    snprintf(text, size, "%s%s%s%s", place,
             err->what[0] ? err->what : cs_status_text(err->status),
             err->hint[0] ? ": " : "", err->hint);
}
