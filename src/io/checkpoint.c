/* File layout; all numbers have 64 bits and are little-endian: magic number,
 * number of marks m, thinning interval, size n of the run, size k of the
 * settings, whether warm-ups are saved, m marks (bytes, rows, warm-up rows,
 * whether the warm-up is over, checksum), k bytes of settings, n bytes of the
 * run, FNV-1a checksum of all preceding bytes. */
#include "io/checkpoint.h"

#include "base/hash.h"
#include "base/memory.h"
#include "files/file.h"
#include "files/replace.h"

#include <assert.h>
#include <string.h>

static const char magic[8] = {'C', 'S', 'K', 'E', 'P', 'T', '4', '\n'};
enum { HEAD = 48, MARK = 40, SUM = 8 };
static const size_t most = (size_t)1 << 40;

static void put(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char *from)
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | from[i];
    return value;
}

cs_status cs_checkpoint_write(const char *path, const cs_checkpoint *c,
                              cs_error *err)
{
    assert(c->thin > 0);
    size_t text = c->sets ? strlen(c->sets) : 0;
    size_t size = HEAD + c->n_marks * MARK + text;
    unsigned char *bytes = cs_alloc(1, size), *at = bytes + HEAD, sum[SUM];
    if (!bytes)
        return cs_fail(err, CS_MEMORY, "out of memory for the checkpoint");
    memcpy(bytes, magic, sizeof magic);
    put(bytes + 8, c->n_marks);
    put(bytes + 16, c->thin);
    put(bytes + 24, c->size);
    put(bytes + 32, text);
    put(bytes + 40, c->save_warmup);
    for (size_t i = 0; i < c->n_marks; i++, at += MARK) {
        put(at, c->mark[i].bytes);
        put(at + 8, c->mark[i].rows);
        put(at + 16, c->mark[i].warmup_rows);
        put(at + 24, c->mark[i].adapted);
        put(at + 32, c->mark[i].sum);
    }
    if (text)
        memcpy(at, c->sets, text);
    put(sum, cs_checksum_on(cs_checksum(bytes, size), c->run, c->size));
    const cs_bytes part[] = {{bytes, size}, {c->run, c->size}, {sum, SUM}};
    cs_status status = cs_file_replace_parts(path, part, 3, err);
    cs_free(bytes);
    return status;
}

static const char *fault_of(const unsigned char *bytes, size_t size)
{
    if (size < HEAD + SUM || memcmp(bytes, magic, 6) != 0)
        return "is not a checkpoint";
    if (memcmp(bytes, magic, sizeof magic) != 0)
        return "was written by another version of chainscope";
    uint64_t marks = get(bytes + 8), run = get(bytes + 24),
             text = get(bytes + 32);
    size_t rest = size - HEAD - SUM;
    if (marks > rest / MARK || text > rest - marks * MARK ||
        run != rest - marks * MARK - text)
        return "is truncated";
    if (get(bytes + size - SUM) != cs_checksum(bytes, size - SUM))
        return "is damaged: its checksum is wrong";
    return NULL;
}

cs_status cs_checkpoint_read(cs_checkpoint *out, const char *path,
                             cs_error *err)
{
    unsigned char *bytes;
    size_t size;
    memset(out, 0, sizeof *out);
    cs_status status = cs_file_read(path, most, &bytes, &size, err);
    if (status)
        return status;
    const char *fault = fault_of(bytes, size);
    if (fault) {
        cs_fail(err, CS_INPUT, "%s %s", path, fault);
        cs_hint(err, "repeat the run or part with --force and without "
                     "--resume");
        cs_free(bytes);
        return CS_INPUT;
    }
    out->n_marks = (size_t)get(bytes + 8);
    out->thin = get(bytes + 16);
    out->size = (size_t)get(bytes + 24);
    size_t text = (size_t)get(bytes + 32);
    out->save_warmup = get(bytes + 40) != 0;
    out->mark = cs_alloc(out->n_marks, sizeof *out->mark);
    out->run = cs_alloc(1, out->size);
    out->sets = cs_alloc(1, text + 1);
    if (out->mark && out->run && out->sets) {
        const unsigned char *at = bytes + HEAD;
        for (size_t i = 0; i < out->n_marks; i++, at += MARK)
            out->mark[i] = (cs_cmdstan_mark){.bytes = get(at),
                                             .rows = get(at + 8),
                                             .warmup_rows = get(at + 16),
                                             .adapted = get(at + 24) != 0,
                                             .sum = get(at + 32)};
        memcpy(out->sets, at, text);
        memcpy(out->run, at + text, out->size);
    } else {
        cs_checkpoint_fini(out);
        status = cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    }
    cs_free(bytes);
    return status;
}

void cs_checkpoint_fini(cs_checkpoint *c)
{
    CS_FREE_ALL(c->mark, c->run, c->sets);
    memset(c, 0, sizeof *c);
}
