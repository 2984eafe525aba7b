/* Fuzzes the JSON parser. It returns a valid number of tokens in a valid order,
 * or an error with a line number. */
#include "data/json.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

/* Checks the order of the tokens: each key is followed by a value, and each
 * string points into the input. */
static void look(const cs_json *j, const cs_json_token *t, const char *text,
                 size_t size, bool *key)
{
    bool value = t->kind == CS_JSON_OPEN_LIST ||
                 t->kind == CS_JSON_OPEN_OBJECT || t->kind >= CS_JSON_TEXT;
    if (*key && !value)
        fuzz_broken("a key without a value");
    *key = t->kind == CS_JSON_KEY;
    if (j->depth > CS_JSON_DEPTH)
        fuzz_broken("too deep");
    if ((t->kind == CS_JSON_KEY || t->kind == CS_JSON_TEXT) &&
        (t->text < text || t->text + t->size > text + size ||
         memchr(t->text, 0, t->size)))
        fuzz_broken("a text points outside of the input");
    if (t->kind == CS_JSON_NUMBER && !isfinite(t->number))
        fuzz_broken("a number is not finite");
}

static void one_input(const uint8_t *data, size_t size)
{
    cs_json j;
    cs_error err = {0};
    cs_json_token t = {.kind = CS_JSON_NULL};
    char *text = fuzz_text(data, size);
    bool key = false;
    cs_status s = cs_json_open(&j, text, size, "input.json", &err);
    for (size_t n = 0; s == CS_OK && t.kind != CS_JSON_END; n++) {
        s = cs_json_next(&j, &t, &err);
        if (s == CS_OK)
            look(&j, &t, text, size, &key);
        if (n > 2 * size + 2)
            fuzz_broken("more tokens than bytes");
    }
    if (s == CS_OK && j.depth)
        fuzz_broken("the input ends inside a list or object");
    if (s != CS_OK && (!err.what[0] || err.line < 1))
        fuzz_broken("error without a message or line number");
    cs_json_close(&j);
}

const fuzz_reader reader_json = {.read = one_input};
