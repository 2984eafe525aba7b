#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

void skip_because(const char *why)
{
    if (getenv("CHAINSCOPE_NO_SKIP"))
        fail_msg("would be skipped: %s", why);
    print_message("skipped: %s\n", why);
    skip();
}

void data_or_skip(const char *file, char *path, size_t size)
{
    const char *folder = getenv("CHAINSCOPE_DATA");
    if (!folder || !*folder) {
        print_message("skipped: CHAINSCOPE_DATA is not set\n");
        skip();
        return;
    }
    int n = snprintf(path, size, "%s/%s", folder, file);
    FILE *there = n > 0 && (size_t)n < size ? fopen(path, "r") : NULL;
    if (!there)
        fail_msg("%s is not in the folder that CHAINSCOPE_DATA names", file);
    fclose(there);
}
