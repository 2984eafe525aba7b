/* Fuzzes the reader of checkpoint files. If bit 0 of the first byte is set, the
 * checksum is corrected, so that the contents are parsed too. */
#include "base/memory.h"
#include "fuzz.h"
#include "io/checkpoint.h"

#include <string.h>

static void one_input(const uint8_t *data, size_t size)
{
    cs_checkpoint c;
    cs_error err = {0};
    if (size == 0)
        return;
    uint8_t *bytes = (uint8_t *)fuzz_text(data + 1, size - 1);
    if (data[0] & 1)
        fuzz_seal(bytes, size - 1);
    const char *path = fuzz_file(bytes, size - 1);
    if (cs_checkpoint_read(&c, path, &err) != CS_OK) {
        if (!err.what[0])
            fuzz_broken("error without a message");
        return;
    }
    if (cs_checkpoint_write("again", &c, &err) != CS_OK)
        fuzz_broken("cannot write a checkpoint that was read");
    cs_checkpoint_fini(&c);
}

const fuzz_reader reader_checkpoint = {.read = one_input};
