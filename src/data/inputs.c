#include "data/inputs.h"

#include "base/hash.h"
#include "base/memory.h"
#include "data/inputs_internal.h"
#include "files/file.h"
#include "files/open.h"

#include <stdio.h>
#include <string.h>

enum { PIECE = 1 << 16 };

/* ---- owners -------------------------------------------------------------- */

cs_inputs *cs_inputs_create(void)
{
    cs_inputs *in = cs_alloc(1, sizeof *in);
    if (in)
        in->owners = 1;
    return in;
}

cs_inputs *cs_inputs_hold(cs_inputs *in)
{
    if (in)
        in->owners++;
    return in;
}

void cs_inputs_drop(cs_inputs *in)
{
    if (!in || --in->owners > 0)
        return;
    for (size_t i = 0; i < in->n; i++) {
        cs_free(in->entry[i].name);
        cs_free(in->entry[i].text);
    }
    cs_free(in->entry);
    cs_free(in);
}

/* ---- entries ------------------------------------------------------------- */

cs_input *cs_inputs_find(const cs_inputs *in, cs_input_kind kind,
                         const char *name)
{
    for (size_t i = 0; in && i < in->n; i++) {
        cs_input *e = &in->entry[i];
        bool same = e->kind == kind &&
                    (kind == CS_INPUT_SCENARIO || strcmp(e->name, name) == 0);
        if (same)
            return e;
    }
    return NULL;
}

cs_input *cs_inputs_add(cs_inputs *in, cs_input_kind kind, const char *name,
                        const char *text, size_t size)
{
    bool fits = in->n < CS_INPUTS_MOST && strlen(name) < CS_INPUTS_NAME_MOST &&
                size <= CS_INPUTS_ALL_MOST - in->bytes;
    cs_input e = {.kind = kind, .size = size};
    if (fits && CS_GROW(in->entry, in->n, in->capacity, 1)) {
        e.name = cs_copy_text(name);
        e.text = text ? cs_alloc(1, size + 1) : NULL;
    }
    if (!e.name || (text && !e.text)) {
        cs_free(e.name);
        in->overfull = true;
        return NULL;
    }
    if (text)
        memcpy(e.text, text, size);
    in->bytes += size;
    in->entry[in->n] = e;
    return &in->entry[in->n++];
}

bool cs_inputs_are_recorded(const cs_inputs *in)
{
    return in && in->recorded;
}

uint64_t cs_inputs_mark(const cs_inputs *in)
{
    return in ? cs_hash_word(in->n, in->overfull) : 0;
}

/* ---- texts of files ------------------------------------------------------ */

const char *cs_inputs_text(const cs_inputs *in, cs_input_kind kind,
                           const char *name, size_t *size)
{
    const cs_input *e =
        cs_inputs_are_recorded(in) ? cs_inputs_find(in, kind, name) : NULL;
    if (e)
        *size = e->size;
    return e ? e->text : NULL;
}

const char *cs_inputs_scenario(const cs_inputs *in, size_t *size)
{
    const cs_input *e = cs_inputs_find(in, CS_INPUT_SCENARIO, NULL);
    if (e)
        *size = e->size;
    return e ? e->text : NULL;
}

void cs_inputs_note(cs_inputs *in, cs_input_kind kind, const char *name,
                    const char *text, size_t size)
{
    if (in && !cs_inputs_find(in, kind, name))
        cs_inputs_add(in, kind, name, text, size);
}

bool cs_inputs_are_of(const cs_inputs *in, const char *text, size_t n)
{
    const cs_input *e = cs_inputs_find(in, CS_INPUT_SCENARIO, NULL);
    return e && text && e->size == n && memcmp(e->text, text, n) == 0;
}

/* Returns true if the file at `path` contains exactly the text of e. Sets
 * *there to whether the file can be read. */
static bool is_file(const cs_input *e, const char *path, bool *there)
{
    unsigned char *text = NULL;
    size_t size = 0;
    *there =
        cs_file_read(path, CS_INPUTS_TEXT_MOST, &text, &size, NULL) == CS_OK;
    bool same = *there && size == e->size && memcmp(text, e->text, size) == 0;
    cs_free(text);
    return same;
}

bool cs_inputs_are_at(const cs_inputs *in, const char *path)
{
    bool there;
    const cs_input *e = cs_inputs_find(in, CS_INPUT_SCENARIO, NULL);
    return e && is_file(e, path, &there);
}

bool cs_inputs_match(cs_inputs *in, const char *path, char *words, size_t size)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) : 0;
    in->strict = false;
    for (size_t i = 0; i < in->n && !in->strict; i++) {
        char at[2 * CS_INPUTS_NAME_MOST];
        bool there;
        const cs_input *e = &in->entry[i];
        bool module = e->kind == CS_INPUT_MODULE;
        if (!e->text)
            continue;
        snprintf(at, sizeof at, "%s", path);
        if (module)
            snprintf(at, sizeof at, "%.*s%s%s", folder, path, slash ? "/" : "",
                     e->name);
        in->strict = !is_file(e, at, &there);
        if (in->strict)
            snprintf(words, size, "%s %s since it was recorded",
                     module ? at : path, there ? "was changed" : "is gone");
    }
    return !in->strict;
}

bool cs_inputs_are_strict(const cs_inputs *in)
{
    return in && in->strict;
}

bool cs_inputs_file(const cs_inputs *in, size_t i, const char **name,
                    bool *there, uint64_t *sum)
{
    for (size_t k = 0; in && k < in->n; k++) {
        const cs_input *e = &in->entry[k];
        bool is_file = e->kind == CS_INPUT_DATA || e->kind == CS_INPUT_ABSENT;
        if (!is_file || i-- > 0)
            continue;
        *name = e->name;
        *there = e->kind == CS_INPUT_DATA;
        *sum = e->sum;
        return true;
    }
    return false;
}

/* ---- data ---------------------------------------------------------------- */

/* Returns the checksum of a file's contents; 0 if it cannot be read. */
static uint64_t sum_of(const char *path)
{
    char piece[PIECE];
    uint64_t sum = CS_DIGEST;
    FILE *f = cs_open_stream(path);
    if (!f)
        return 0;
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        sum = cs_running_sum(sum, piece, n);
    fclose(f);
    return sum;
}

/* Stores the failure `why` unless a failure is stored already. Copies it to err
 * (if not NULL), and returns its status. */
static cs_status fail(cs_inputs *in, const cs_error *why, cs_error *err)
{
    if (!in->failure.status)
        in->failure = *why;
    if (err)
        *err = *why;
    return why->status;
}

static cs_status refuse_unknown(cs_inputs *in, const char *name, cs_error *err)
{
    cs_error why;
    cs_fail(&why, CS_INPUT, "the recording does not contain the file '%s'",
            name);
    cs_hint(&why, "restore the scenario to its state when it was recorded");
    return fail(in, &why, err);
}

static cs_status compare(cs_inputs *in, const cs_input *e, const char *path,
                         cs_error *err)
{
    cs_error why;
    uint64_t sum = path ? sum_of(path) : 0;
    if (path && sum == e->sum)
        return CS_OK;
    if (path)
        cs_fail(&why, CS_INPUT,
                "the data file '%s' has changed since the recording: %s",
                e->name, path);
    else
        cs_fail(&why, CS_INPUT,
                "the data file '%s' of the recording is missing", e->name);
    cs_hint(&why,
            "restore the file next to the scenario, or record the run again");
    return fail(in, &why, err);
}

bool cs_inputs_lack(const cs_inputs *in, const char *name)
{
    return cs_inputs_are_recorded(in) &&
           cs_inputs_find(in, CS_INPUT_ABSENT, name);
}

cs_status cs_inputs_data(cs_inputs *in, const char *name, const char *path,
                         cs_error *err)
{
    const cs_input *known = cs_inputs_find(in, CS_INPUT_DATA, name);
    if (!in || cs_inputs_lack(in, name))
        return CS_OK;
    if (known)
        return in->recorded ? compare(in, known, path, err) : CS_OK;
    if (in->strict)
        return refuse_unknown(in, name, err);
    if (!path && cs_inputs_find(in, CS_INPUT_ABSENT, name))
        return CS_OK;
    cs_input *e = cs_inputs_add(in, path ? CS_INPUT_DATA : CS_INPUT_ABSENT,
                                name, NULL, 0);
    if (e && path)
        e->sum = sum_of(path);
    return CS_OK;
}

cs_status cs_inputs_module(cs_inputs *in, const char *name, cs_error *err)
{
    return in && in->strict ? refuse_unknown(in, name, err) : CS_OK;
}

cs_status cs_inputs_failure(const cs_inputs *in, cs_error *err)
{
    if (!in || !in->failure.status)
        return CS_OK;
    if (err)
        *err = in->failure;
    return in->failure.status;
}

void cs_inputs_forgive(cs_inputs *in)
{
    in->failure.status = CS_OK;
}
