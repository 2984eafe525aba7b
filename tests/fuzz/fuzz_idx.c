/* Fuzzes the reader of IDX files. */
#include "base/memory.h"
#include "data/idx.h"
#include "fuzz.h"

#include <string.h>

static void one_input(const uint8_t *data, size_t size)
{
    cs_idx idx;
    cs_error err = {0};
    char *copy = cs_alloc(size, 1);
    if (!copy)
        return;
    if (size)
        memcpy(copy, data, size);
    cs_status s = cs_idx_parse(copy, size, "input", &idx, &err);
    if (s == CS_OK &&
        (const char *)idx.byte + idx.size[0] * idx.row * idx.width !=
            copy + size)
        fuzz_broken("the items do not end where the file does");
    if (s != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
    cs_idx_free(&idx);
}

const fuzz_reader reader_idx = {.read = one_input};
