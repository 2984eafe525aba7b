/* The bytes of a saved run, loaded into one of the same scenario: magic, hash
 * and checksum are put right where the first byte says so. What is refused
 * leaves the run as it was; what is taken can be stepped. */
#include "base/memory.h"
#include "fuzz.h"
#include "run/run.h"

#include <string.h>

static cs_run *run;
static cs_target *target;
static unsigned char *saved;
static size_t saved_size;

static void must(cs_status s)
{
    if (s != CS_OK)
        fuzz_broken("there is no run to load into");
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    cs_arm_spec arm[2] = {{.name = "a"}, {.name = "b", .chains = 2}};
    must(cs_target_create(cs_target_find("gaussian"), NULL, 0, &target, NULL));
    must(cs_kernel_init(&arm[0].kernel, cs_kernel_find("random_walk"), NULL, 0,
                        NULL));
    must(cs_kernel_init(&arm[1].kernel, cs_kernel_find("hmc"), NULL, 0, NULL));
    cs_run_spec spec = {.target = target,
                        .arms = arm,
                        .n_arms = 2,
                        .chains = 3,
                        .seed = 1,
                        .workers = 1,
                        .keep = 8,
                        .rewind_bytes = 1};
    must(cs_run_create(&run, &spec, NULL));
    must(cs_run_advance(run, 5, NULL, NULL));
    must(cs_run_set(run, 0, "step", 0.5, NULL));
    must(cs_run_advance(run, 5, NULL, NULL));
    must(cs_run_save(run, &saved, &saved_size, NULL));
    return 0;
}

/* The corpus need not know the hash of the scenario. */
static void put_right(uint8_t *bytes, size_t size)
{
    if (size < 24)
        return;
    memcpy(bytes, saved, 16);
    fuzz_seal(bytes, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cs_error err = {0};
    if (size == 0)
        return 0;
    /* bit 1: differences from a true one, so that few bytes reach deep */
    size_t n = data[0] & 2 ? saved_size : size - 1;
    uint8_t *bytes = (uint8_t *)cs_alloc(1, n);
    memcpy(bytes, data[0] & 2 ? saved : data + 1, n);
    for (size_t i = 1; (data[0] & 2) && i + 3 < size; i += 3)
        bytes[((size_t)data[i] << 8 | data[i + 1]) % n] = data[i + 2];
    if (data[0] & 1)
        put_right(bytes, n);
    if (cs_run_load(run, bytes, n, &err) == CS_OK) {
        must(cs_run_set(run, 1, "leapfrogs", 2, NULL)); /* not a million */
        cs_run_advance(run, 2, NULL, NULL);
    } else if (!err.what[0]) {
        fuzz_broken("refused without a reason");
    }
    must(cs_run_load(run, saved, saved_size, NULL));
    cs_free(bytes);
    return 0;
}
