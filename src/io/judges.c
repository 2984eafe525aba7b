#include "io/judges.h"

#include "base/memory.h"
#include "base/sha256.h"
#include "files/file.h"
#include "files/open.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1 << 20 };
static const char kind[] = "sha256:";

const char *cs_judge_digits(const char *name)
{
    const char *digits = name + sizeof kind - 1;
    if (strncmp(name, kind, sizeof kind - 1) != 0 ||
        strlen(digits) != CS_SHA256_HEX - 1 ||
        strspn(digits, "0123456789abcdef") != CS_SHA256_HEX - 1)
        return NULL;
    return digits;
}

static DIR *list(const char *folder, cs_error *err)
{
    DIR *all = cs_open_list(folder);
    if (!all) {
        cs_open_failed(folder, "read", err);
        cs_hint(err, "--judges needs a folder with hidden judges");
    }
    return all;
}

cs_status cs_judges_check(const char *folder, cs_error *err)
{
    DIR *all = list(folder, err);
    if (!all)
        return CS_IO;
    closedir(all);
    return CS_OK;
}

/* Returns the text of the file if it has this digest, otherwise NULL. A folder,
 * or a file that cannot be read, has no digest. */
static char *text_of(const char *path, const char *digits)
{
    unsigned char *text;
    size_t size;
    uint8_t bytes[CS_SHA256_BYTES];
    char hex[CS_SHA256_HEX];
    cs_error ignored;
    if (cs_file_read(path, MOST, &text, &size, &ignored))
        return NULL;
    cs_sha256(text, size, bytes);
    cs_sha256_hex(bytes, hex);
    if (strcmp(hex, digits) == 0)
        return (char *)text;
    cs_free(text);
    return NULL;
}

cs_status cs_judge_read(const char *folder, const char *name, char **text,
                        cs_error *err)
{
    char path[1024];
    const char *digits = cs_judge_digits(name);
    assert(digits);
    *text = NULL;
    DIR *all = list(folder, err);
    if (!all)
        return CS_IO;
    for (struct dirent *e = readdir(all); e && !*text; e = readdir(all)) {
        int n = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (*e->d_name != '.' && n > 0 && (size_t)n < sizeof path)
            *text = text_of(path, digits);
    }
    closedir(all);
    if (*text)
        return CS_OK;
    cs_fail(err, CS_INPUT, "no file in %s has the digest %s", folder, name);
    cs_hint(err, "put the hidden judge of this version of the exercise there; "
                 "sha256sum FILE prints a digest");
    return CS_INPUT;
}
