/* Fuzzes the readers of CSV tables. Each input is read twice: as a table of
 * numbers, and as a table that may also have string columns. */
#include "base/memory.h"
#include "data/table.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

static void read_records(const uint8_t *data, size_t size)
{
    cs_records r = {0};
    cs_error err = {0};
    char *text = cs_alloc(size + 1, 1), *out = cs_alloc(size + 1, 1);
    if (!text || !out)
        fuzz_broken("no memory");
    memcpy(text, data, size);
    cs_status s = cs_records_parse(text, size, "input.csv", &r, &err);
    for (size_t i = 0; s == CS_OK && i < r.rows * r.cols; i++) {
        cs_word_span f = r.field[i];
        if (f.at < r.text || f.end > r.text + size || f.at > f.end)
            fuzz_broken("a field points outside of the text");
        if (cs_records_unquote(f, out) > (size_t)(f.end - f.at))
            fuzz_broken("a field grew");
    }
    if (s != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
    cs_records_free(&r);
    cs_free(out);
}

static void one_input(const uint8_t *data, size_t size)
{
    cs_table t = {0};
    cs_error err = {0};
    cs_status s =
        cs_table_parse((const char *)data, size, "input.csv", &t, &err);
    for (size_t i = 0; s == CS_OK && i < t.rows * t.cols; i++)
        if (!isfinite(t.data[i]))
            fuzz_broken("a number is not finite");
    for (size_t i = 0; s == CS_OK && i < t.cols; i++)
        if (!memchr(t.names[i], 0, CS_TABLE_NAME))
            fuzz_broken("a name is not terminated");
    if (s != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
    cs_table_free(&t);
    read_records(data, size);
}

const fuzz_reader reader_table = {.read = one_input};
