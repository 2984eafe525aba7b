/* Comparison of frames with files. */
#pragma once

#include "base/memory.h"
#include "screen/canvas/canvas_export.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compares the canvas with the expected frame, either as text or as text with
 * colours. */
static inline void compare_as(const cs_canvas *c, cs_medium as, cs_tier tier,
                              const char *name)
{
    char path[128], *got = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "frames/%s.%s", name,
             as == CS_TEXT ? "txt" : "ans");
    FILE *out = open_memstream(&got, &size);
    assert_true(cs_canvas_export(c, as, tier, out));
    fclose(out);
    if (getenv("UPDATE")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fwrite(got, 1, size, file);
        fclose(file);
    }
    FILE *file = fopen(path, "r");
    if (!file)
        print_error("%s is missing: cmake --build build --target regenerate\n",
                    path);
    assert_non_null(file);
    char *want = cs_alloc(size + 2, 1);
    size_t n = fread(want, 1, size + 1, file);
    fclose(file);
    if (n != size || memcmp(want, got, size) != 0)
        print_error("%s differs; now:\n%s", path, got);
    assert_true(n == size && memcmp(want, got, size) == 0);
    cs_free(want);
    free(got);
}
