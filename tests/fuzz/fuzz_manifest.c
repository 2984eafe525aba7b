/* Manifests of run folders; the first byte says whether the sum of the lines is put
 * behind them, so that what they say is read too. */
#include "base/hash.h"
#include "fuzz.h"
#include "io/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_again(const cs_manifest *m)
{
    cs_manifest again;
    cs_error err = {0};
    if (cs_manifest_write(".", m, &err) != CS_OK)
        fuzz_broken("what was read cannot be written");
    if (cs_manifest_read(&again, ".", &err) != CS_OK)
        fuzz_broken("what was written cannot be read");
    if (again.n != m->n || again.run != m->run || again.parts != m->parts)
        fuzz_broken("it is another when it is read again");
    cs_manifest_free(&again);
}

static void one_input(const uint8_t *data, size_t size)
{
    cs_manifest m;
    cs_error err = {0};
    if (size == 0)
        return;
    char *text = malloc(size + 40);
    if (!text)
        fuzz_broken("there is no memory");
    memcpy(text, data + 1, size - 1);
    size_t n = size - 1;
    if (data[0] & 1)
        n += (size_t)snprintf(text + n, 40, "sum %016" PRIx64 "\n",
                              cs_checksum(text, n));
    const char *path = fuzz_file(text, n);
    free(text);
    if (rename(path, "manifest") != 0)
        fuzz_broken("the input cannot be named");
    if (cs_manifest_read(&m, ".", &err) != CS_OK) {
        if (!err.what[0])
            fuzz_broken("refused without a reason");
        return;
    }
    read_again(&m);
    cs_manifest_free(&m);
    if (cs_manifest_check(&m, ".", &err) == CS_OK)
        cs_manifest_free(&m);
}

const fuzz_reader reader_manifest = {.read = one_input};
