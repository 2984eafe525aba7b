/* Fuzzes the writers of untrusted text. JSON must be valid. UTF-8 text must be
 * unchanged when it is read again. The lesson of a scenario (its first comment)
 * is tested too. */
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "data/json.h"
#include "fuzz.h"
#include "io/lesson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_utf8(const char *text)
{
    unsigned code;
    size_t n = strlen(text);
    for (size_t i = 0, k; i < n; i += k)
        if (!(k = cs_utf8_decode(text + i, n - i, &code)))
            return false;
    return true;
}

static void take(cs_json *j, cs_json_token *t, cs_json_kind kind)
{
    cs_error err = {0};
    if (cs_json_next(j, t, &err) != CS_OK)
        fuzz_broken(err.what);
    if (t->kind != kind)
        fuzz_broken("the token has another kind than was written");
}

static void write_and_read(const char *text, double x)
{
    cs_page p = {0};
    cs_json j;
    cs_json_token t;
    cs_page_put(&p, "[");
    cs_page_quoted(&p, text);
    cs_page_put(&p, ", ");
    cs_page_number(&p, x);
    cs_page_put(&p, "]");
    if (p.full || cs_json_open(&j, p.text, p.used, "page", NULL) != CS_OK)
        fuzz_broken("out of memory");
    take(&j, &t, CS_JSON_OPEN_LIST);
    take(&j, &t, CS_JSON_TEXT);
    if (is_utf8(text) &&
        (t.size != strlen(text) || memcmp(t.text, text, t.size) != 0))
        fuzz_broken("the text changes when read again");
    take(&j, &t, isfinite(x) ? CS_JSON_NUMBER : CS_JSON_NULL);
    if (isfinite(x) && fabs(t.number - x) > 1e-9 * fabs(x))
        fuzz_broken("the number changes when read again");
    take(&j, &t, CS_JSON_CLOSE_LIST);
    take(&j, &t, CS_JSON_END);
    cs_json_close(&j);
    cs_free(p.text);
}

static void learn(const char *lua)
{
    static char whole[CS_LESSON_BYTES];
    for (size_t capacity = 1; capacity <= sizeof whole; capacity *= 4) {
        char *out = malloc(capacity);
        if (!out)
            fuzz_broken("out of memory");
        cs_lesson_of(lua, out, capacity);
        size_t n = strlen(out);
        if (n && out[n - 1] == '\n')
            fuzz_broken("a lesson ends with an empty line");
        if (strncmp(lua, "--", 2) != 0 && n)
            fuzz_broken("a lesson was found in a file without one");
        free(out);
    }
}

static void one_input(const uint8_t *data, size_t size)
{
    double x = 0;
    if (size < sizeof x)
        return;
    memcpy(&x, data, sizeof x);
    const char *text = fuzz_text(data + sizeof x, size - sizeof x);
    write_and_read(text, x);
    learn(text);
}

const fuzz_reader reader_page = {.read = one_input};
