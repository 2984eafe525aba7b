/* Writes the inputs of a run as text, and reads them. */
#include "base/memory.h"
#include "data/inputs_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[CS_INPUT_KINDS] = {
    [CS_INPUT_SCENARIO] = "scenario ",
    [CS_INPUT_MODULE] = "module ",
    [CS_INPUT_DATA] = "data ",
    [CS_INPUT_ABSENT] = "absent "};
static const char incomplete[] = "incomplete";

/* ---- writing ------------------------------------------------------------- */

static void put_bytes(cs_page *p, const char *text, size_t n)
{
    for (size_t i = 0, plain; i < n; i += plain + 1) {
        plain = 0;
        while (i + plain < n && text[i + plain] != '\\' &&
               text[i + plain] >= ' ' && text[i + plain] <= '~')
            plain++;
        cs_page_put(p, "%.*s", (int)plain, text + i);
        if (i + plain < n)
            cs_page_put(p, "\\x%02x", (unsigned char)text[i + plain]);
    }
}

static void put_lines(cs_page *p, const char *text, size_t size)
{
    for (size_t at = 0; at <= size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t n = end ? (size_t)(end - text) - at : size - at;
        cs_page_put(p, "|");
        put_bytes(p, text + at, n);
        cs_page_put(p, "\n");
        at += n + 1;
    }
}

void cs_inputs_put(const cs_inputs *in, cs_page *p)
{
    cs_page_put(p, "%s", CS_INPUTS_HEAD);
    for (size_t i = 0; in && i < in->n; i++) {
        const cs_input *e = &in->entry[i];
        cs_page_put(p, "%s", words[e->kind]);
        if (e->kind == CS_INPUT_DATA)
            cs_page_put(p, "%016llx ", (unsigned long long)e->sum);
        put_bytes(p, e->name, strlen(e->name));
        cs_page_put(p, "\n");
        if (e->text)
            put_lines(p, e->text, e->size);
    }
    if (!in || in->overfull)
        cs_page_put(p, "%s\n", incomplete);
}

/* ---- reading ------------------------------------------------------------- */

static int digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower(c) - 'a' + 10;
}

/* Decodes the output of put_bytes and writes the bytes to `to`, which has
 * `most` bytes. For n bytes of text, a buffer of n bytes is always sufficient.
 * Returns the number of bytes written, or SIZE_MAX if the text is not valid or
 * does not fit. */
static size_t take_bytes(const char *at, size_t n, char *to, size_t most)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (used == most)
            return SIZE_MAX;
        to[used++] = at[i];
        if (at[i] != '\\')
            continue;
        if (n - i < 4 || at[i + 1] != 'x' ||
            !isxdigit((unsigned char)at[i + 2]) ||
            !isxdigit((unsigned char)at[i + 3]))
            return SIZE_MAX;
        to[used - 1] = (char)(digit(at[i + 2]) * 16 + digit(at[i + 3]));
        i += 3;
    }
    return used;
}

/* Decodes lines that start with "|", beginning at *at, and writes them to `to`,
 * separated by newlines. `to` must be as large as the encoded lines. Returns
 * the number of bytes written, or SIZE_MAX if a line is not valid. */
static size_t take_lines(const char **at, char *to)
{
    size_t used = 0;
    for (bool first = true; **at == '|'; first = false) {
        size_t n = strcspn(*at, "\n");
        if (!first)
            to[used++] = '\n';
        size_t k = take_bytes(*at + 1, n - 1, to + used, n - 1);
        if (k == SIZE_MAX)
            return SIZE_MAX;
        used += k;
        *at += n + ((*at)[n] == '\n');
    }
    return used;
}

/* Decodes the name in text[n] to `out`; a name that contains zero bytes is
 * invalid. The limit on the length applies to the decoded name (a byte that is
 * not ASCII takes four bytes in the text). */
static bool take_name(const char *text, size_t n, char out[CS_INPUTS_NAME_MOST])
{
    if (n == 0)
        return false;
    size_t k = take_bytes(text, n, out, CS_INPUTS_NAME_MOST - 1);
    if (k == SIZE_MAX)
        return false;
    out[k] = 0;
    return strlen(out) == k;
}

/* Reads one entry and advances. Returns false at the end, or if the inputs
 * already have an entry of this kind and name. */
static bool take_entry(cs_inputs *in, const char **at, char *scratch)
{
    char name[CS_INPUTS_NAME_MOST], *end = NULL;
    size_t kind = 0, n = strcspn(*at, "\n"), head, size = 0;
    while (kind < CS_INPUT_KINDS &&
           strncmp(*at, words[kind], strlen(words[kind])) != 0)
        kind++;
    if (kind == CS_INPUT_KINDS)
        return false;
    head = strlen(words[kind]);
    uint64_t sum = 0;
    if (kind == CS_INPUT_DATA) {
        sum = strtoull(*at + head, &end, 16);
        if (end != *at + head + 16 || *end != ' ')
            return false;
        head += 17;
    }
    if (head > n || !take_name(*at + head, n - head, name) ||
        cs_inputs_find(in, (cs_input_kind)kind, name))
        return false;
    *at += n + ((*at)[n] == '\n');
    bool text = kind == CS_INPUT_SCENARIO || kind == CS_INPUT_MODULE;
    if (text)
        size = take_lines(at, scratch);
    if (size == SIZE_MAX || size > CS_INPUTS_TEXT_MOST)
        return false;
    cs_input *e = cs_inputs_add(in, (cs_input_kind)kind, name,
                                text ? scratch : NULL, size);
    if (e)
        e->sum = sum;
    return e;
}

static cs_status refuse(cs_error *err)
{
    cs_fail(err, CS_INPUT, "the scenario in the recording is incomplete");
    cs_hint(err,
            "record the run again; chainscope replay still shows the pictures");
    return CS_INPUT;
}

cs_status cs_inputs_read(cs_inputs **out, const char *text, cs_error *err)
{
    const size_t head = strlen(CS_INPUTS_HEAD);
    cs_inputs *in = cs_inputs_create();
    char *scratch = cs_alloc(1, strlen(text) + 1);
    bool good = in && scratch && strncmp(text, CS_INPUTS_HEAD, head) == 0;
    *out = NULL;
    for (const char *at = text + head; good && *at;)
        good = take_entry(in, &at, scratch);
    good = good && !in->overfull && cs_inputs_find(in, CS_INPUT_SCENARIO, NULL);
    bool memory = !in || !scratch;
    cs_free(scratch);
    if (good) {
        in->recorded = true;
        *out = in;
        return CS_OK;
    }
    cs_inputs_drop(in);
    return memory ? cs_fail(err, CS_MEMORY, "out of memory for the recording")
                  : refuse(err);
}
