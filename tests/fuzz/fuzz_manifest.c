/* Fuzzes the reader of run manifests. If bit 0 of the first byte is set, a
 * correct checksum is appended, so that the contents are parsed too. */
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
        fuzz_broken("cannot write a manifest that was read");
    if (cs_manifest_read(&again, ".", &err) != CS_OK)
        fuzz_broken("cannot read a manifest that was written");
    if (again.n != m->n || again.run != m->run || again.parts != m->parts)
        fuzz_broken("the manifest changes when written and read again");
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
        fuzz_broken("out of memory");
    memcpy(text, data + 1, size - 1);
    size_t n = size - 1;
    if (data[0] & 1)
        n += (size_t)snprintf(text + n, 40, "sum %016" PRIx64 "\n",
                              cs_checksum(text, n));
    const char *path = fuzz_file(text, n);
    free(text);
    if (rename(path, "manifest") != 0)
        fuzz_broken("cannot rename the input");
    if (cs_manifest_read(&m, ".", &err) != CS_OK) {
        if (!err.what[0])
            fuzz_broken("error without a message");
        return;
    }
    read_again(&m);
    cs_manifest_free(&m);
    if (cs_manifest_check(&m, ".", &err) == CS_OK)
        cs_manifest_free(&m);
}

const fuzz_reader reader_manifest = {.read = one_input};
