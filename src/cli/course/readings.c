#include "cli/course/readings.h"

#include "base/memory.h"
#include "base/page.h"
#include "files/file.h"
#include "files/folders.h"
#include "files/replace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 }; /* bytes of the record, and of an exercise */

/* Reads the record; returns NULL without a record. [own: cs_free] */
static char *read_record(char *path, size_t size)
{
    unsigned char *text;
    size_t n;
    if (!cs_folder_state("exercises", path, size) ||
        cs_file_read(path, MOST, &text, &n, NULL))
        return NULL;
    return (char *)text;
}

cs_status cs_reading_digest(const char *file, char sha256[CS_SHA256_HEX],
                            cs_error *err)
{
    unsigned char *text;
    size_t size;
    uint8_t bytes[CS_SHA256_BYTES];
    cs_status status = cs_file_read(file, MOST, &text, &size, err);
    if (status)
        return status;
    cs_sha256(text, size, bytes);
    cs_sha256_hex(bytes, sha256);
    cs_free(text);
    return CS_OK;
}

cs_reading cs_reading_of(const char *digest)
{
    char path[1024];
    char *text = read_record(path, sizeof path);
    cs_reading r = {0};
    size_t n = strlen(digest);
    for (char *line = text; line && *line;
         line += strcspn(line, "\n"), line += *line == '\n') {
        if (strncmp(line, digest, n) != 0 || line[n] != ' ')
            continue;
        const char *what = line + n + 1;
        what += strcspn(what, " \n");
        what += *what == ' ';
        r.solution |= strncmp(what, "solution", 8) == 0;
        if (strncmp(what, "hint ", 5) == 0) {
            size_t k = strtoul(what + 5, NULL, 10);
            r.hints = k > r.hints ? k : r.hints;
        }
    }
    cs_free(text);
    return r;
}

cs_status cs_reading_add(const char *digest, const char *name, const char *what,
                         cs_error *err)
{
    char path[1024];
    cs_page p = {0};
    char *text = read_record(path, sizeof path);
    if (!text && !cs_folder_state("exercises", path, sizeof path))
        return cs_fail(err, CS_IO,
                       "there is no folder for the record of readings");
    cs_page_put(&p, "%s%s ", text ? text : "", digest);
    for (const char *at = name; *at; at++) /* the name is one word */
        cs_page_put(&p, "%c", *at > ' ' ? *at : '_');
    cs_page_put(&p, " %s\n", what);
    cs_status status = p.full ? cs_fail(err, CS_MEMORY, "out of memory")
                              : cs_file_replace(path, p.text, p.used, err);
    cs_free(text);
    cs_free(p.text);
    return status;
}
