/* Tables of numbers from CSV. */
#include "base/table.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
            fuzz_broken("a name has no end");
    if (s != CS_OK && !err.what[0])
        fuzz_broken("refused without a reason");
    cs_table_free(&t);
    return 0;
}
