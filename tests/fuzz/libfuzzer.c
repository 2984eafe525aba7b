/* libFuzzer's entry points for one reader; the build defines its name as
 * FUZZ_READER. */
#include "fuzz.h"

extern const fuzz_reader FUZZ_READER;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (FUZZ_READER.prepare)
        FUZZ_READER.prepare();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FUZZ_READER.read(data, size);
    return 0;
}
