#include "jobs/result.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/page.h"
#include "files/file.h"
#include "files/replace.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 28 };

static const char magic[] = "chainscope result 1\n";

void cs_result_fini(cs_result *r)
{
    cs_free(r->text);
    cs_free(r->failure);
    *r = (cs_result){0};
}

static uint64_t digest_of(const char *plan)
{
    return cs_digest(CS_DIGEST, plan, strlen(plan));
}

/* Writes the name without line breaks. */
static void put_name(cs_page *p, const char *name)
{
    cs_page_put(p, "name ");
    for (; *name; name++)
        cs_page_put(p, "%c", *name == '\n' ? ' ' : *name);
    cs_page_put(p, "\n");
}

cs_status cs_result_write(const char *path, const char *plan, size_t i,
                          size_t n, const char *name, const cs_result *r,
                          cs_error *err)
{
    cs_page p = {0};
    cs_page_put(&p, "%splan %016" PRIx64 "\njob %zu of %zu\n", magic,
                digest_of(plan), i + 1, n);
    put_name(&p, name);
    cs_page_put(&p, "seconds %.3f\n%s\n", r->seconds,
                r->text ? "done" : "failed");
    cs_page_put(&p, "%s\n", r->text ? r->text : r->failure);
    uint64_t sum = p.full ? 0 : cs_checksum(p.text, p.used);
    cs_page_put(&p, "sum %016" PRIx64 "\n", sum);
    cs_status status =
        p.full ? cs_fail(err, CS_MEMORY, "out of memory for a result")
               : cs_file_replace(path, p.text, p.used, err);
    cs_free(p.text);
    return status;
}

/* Finds `head` at the start of the line *at, sets *text to the rest of the
 * line, and moves *at to the next line. If the line starts differently, returns
 * false. */
static bool take_line(char **at, const char *head, char **text)
{
    size_t n = strlen(head);
    char *end = strchr(*at, '\n');
    if (!end || strncmp(*at, head, n) != 0)
        return false;
    *end = 0;
    *text = *at + n;
    *at = end + 1;
    return true;
}

/* Removes the checksum at the end. If the checksum does not match the other
 * bytes, returns false. */
static bool is_whole(char *bytes, size_t size)
{
    enum { SUM = 21 }; /* length of "sum 0123456789abcdef\n" */
    if (size < SUM || strlen(bytes) != size)
        return false;
    char *at = bytes + size - SUM;
    uint64_t sum;
    if (sscanf(at, "sum %16" SCNx64, &sum) != 1 || at[SUM - 1] != '\n' ||
        sum != cs_checksum(bytes, size - SUM))
        return false;
    *at = 0;
    return true;
}

/* Reads a time in seconds that fills the rest of the line. */
static bool take_seconds(const char *line, double *seconds)
{
    char *end;
    *seconds = strtod(line, &end);
    return end > line && *end == 0 && *seconds >= 0 && isfinite(*seconds);
}

static cs_status parse(char *at, const char *plan, size_t i, size_t n,
                       cs_result *r, cs_error *err)
{
    char *line, *how;
    uint64_t digest;
    size_t job, jobs;
    if (!take_line(&at, "plan ", &line) ||
        sscanf(line, "%" SCNx64, &digest) != 1)
        return cs_fail(err, CS_INPUT, "the file is not a result of a job");
    if (digest != digest_of(plan))
        return cs_fail(err, CS_INPUT, "the result belongs to another plan");
    if (!take_line(&at, "job ", &line) ||
        sscanf(line, "%zu of %zu", &job, &jobs) != 2 || job != i + 1 ||
        jobs != n)
        return cs_fail(err, CS_INPUT, "the result belongs to another job");
    if (!take_line(&at, "name ", &line) || !take_line(&at, "seconds ", &line) ||
        !take_line(&at, "", &how) || !take_seconds(line, &r->seconds))
        return cs_fail(err, CS_INPUT, "the file is not a result of a job");
    bool done = strcmp(how, "done") == 0;
    if (!done && strcmp(how, "failed") != 0)
        return cs_fail(err, CS_INPUT,
                       "the result is marked neither as done nor as failed");
    size_t size = strlen(at);
    if (size < 2 || at[size - 1] != '\n')
        return cs_fail(err, CS_INPUT, "the result is empty");
    at[size - 1] = 0; /* replaces the last newline */
    char *copy = cs_copy_text(at);
    if (!copy)
        return cs_fail(err, CS_MEMORY, "out of memory for a result");
    *(done ? &r->text : &r->failure) = copy;
    r->there = true;
    return CS_OK;
}

cs_status cs_result_read(const char *path, const char *plan, size_t i, size_t n,
                         cs_result *r, cs_error *err)
{
    char *at;
    unsigned char *bytes;
    size_t size;
    *r = (cs_result){0};
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return CS_OK;
    cs_status status = cs_file_read(path, MOST, &bytes, &size, err);
    if (status)
        return status;
    at = (char *)bytes;
    if (strncmp(at, magic, strlen(magic)) != 0)
        status = cs_fail(err, CS_INPUT, "not a result file of this version");
    else if (!is_whole(at, size))
        status = cs_fail(err, CS_INPUT, "the file is truncated or damaged");
    else
        status = parse(at + strlen(magic), plan, i, n, r, err);
    cs_free(bytes);
    if (status)
        cs_where(err, path, 0);
    return status;
}
