/* Fuzzes the loading of a saved run into a run of the saved scenario. Also
 * fuzzes the merging of parts of a run. If bit 0 of the first byte is set, the
 * magic number, the fingerprint and the checksum are corrected. A rejected file
 * leaves the run unchanged. A run that was loaded can be advanced. */
#include "base/memory.h"
#include "fuzz.h"
#include "run/arms/share.h"
#include "run/history/changes.h"
#include "run/merge_parts.h"
#include "run/run.h"
#include "run/save.h"

#include <string.h>

/* A run and the saved state of this run. The run `plain` has no tuner. The
 * tuner of the run `tuned` is in the middle of its search. */
typedef struct subject {
    cs_run *run;
    unsigned char *saved;
    size_t size;
} subject;

static subject plain, tuned, part;

static void must(cs_status s)
{
    if (s != CS_OK)
        fuzz_broken("cannot create a run");
}

static void open_subject(subject *s, const char *name, const cs_arm_spec *arm,
                         size_t n_arms, uint64_t steps, cs_share share)
{
    cs_target *target;
    must(cs_target_create(cs_target_find(name), NULL, 0, &target, NULL));
    const cs_run_spec spec = {.target = target,
                              .arms = arm,
                              .n_arms = n_arms,
                              .chains = 3,
                              .seed = 1,
                              .workers = 1,
                              .keep = 8,
                              .share = share,
                              .budget.steps = share.parts ? steps : 0,
                              .rewind_bytes = 1};
    must(cs_run_create(&s->run, &spec, NULL));
    cs_target_release(target);
    must(cs_run_advance(s->run, 5, NULL, NULL));
    if (!share.parts)
        must(cs_run_set(s->run, n_arms - 1, "step", 0.5, NULL));
    must(cs_run_advance(s->run, steps, NULL, NULL));
    must(cs_run_save(s->run, &s->saved, &s->size, NULL));
}

static void make_kernel(cs_arm_spec *arm, const char *name)
{
    must(cs_kernel_init(&arm->kernel, cs_kernel_find(name), NULL, 0, NULL));
}

static void prepare(void)
{
    cs_arm_spec arm[2] = {{.name = "a", .chains = 2}, {.name = "b"}};
    make_kernel(&arm[0], "hmc");
    make_kernel(&arm[1], "random_walk");
    open_subject(&plain, "gaussian", arm, 2, 5, (cs_share){0});
    open_subject(&part, "gaussian", arm, 2, 20, (cs_share){0, 1});
    make_kernel(&arm[0], "dmala");
    make_kernel(&arm[1], "dmala");
    must(cs_tuner_init(&arm[0].tuner, cs_tuner_find("acs"), NULL, 0, NULL));
    open_subject(&tuned, "bernoulli4", arm, 2, 130, (cs_share){0});
}

/* Replaces the header and the fingerprint in bytes[size] by those of the run,
 * so that the corpus remains valid if they change. Also corrects the
 * checksum. */
static void put_right(const subject *s, uint8_t *bytes, size_t size)
{
    size_t text = s->saved[8] | (size_t)s->saved[9] << 8;
    if (size < 25 + text)
        return;
    memcpy(bytes, s->saved, 17 + text);
    fuzz_seal(bytes, size);
}

typedef struct bytes_of {
    const uint8_t *at;
    size_t size;
} bytes_of;

static cs_status fetch(void *self, size_t i, unsigned char **bytes,
                       size_t *size, cs_error *err)
{
    const bytes_of *from = self;
    (void)i;
    *size = from->size;
    *bytes = cs_alloc(1, from->size + 1);
    if (!*bytes)
        return cs_fail(err, CS_MEMORY, "no memory");
    memcpy(*bytes, from->at, from->size);
    return CS_OK;
}

/* Merges the bytes as if they were the only part. */
static void merge(const uint8_t *bytes, size_t size)
{
    cs_error err = {0};
    cs_share share;
    bytes_of from = {bytes, size};
    cs_status s = cs_run_saved_share(part.run, bytes, size, &share, &err);
    if (s == CS_OK && !cs_share_is_all(share))
        return; /* merging would need the other parts */
    if (s == CS_OK)
        s = cs_run_merge(part.run, 1, fetch, &from, &err);
    if (s != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
}

static void one_input(const uint8_t *data, size_t size)
{
    cs_error err = {0};
    if (size == 0)
        return;
    /* Bits 2 and 3 of the first byte select the run. If bit 1 is set, the input
     * lists changes to the bytes of a valid file, so that a short input can
     * reach deep code. */
    const subject *s = data[0] & 8 ? &part : data[0] & 4 ? &tuned : &plain;
    size_t n = data[0] & 2 ? s->size : size - 1;
    uint8_t *bytes = (uint8_t *)cs_alloc(1, n);
    memcpy(bytes, data[0] & 2 ? s->saved : data + 1, n);
    for (size_t i = 1; (data[0] & 2) && i + 3 < size; i += 3)
        bytes[((size_t)data[i] << 8 | data[i + 1]) % n] = data[i + 2];
    if (data[0] & 1)
        put_right(s, bytes, n);
    if (s == &part) {
        merge(bytes, n);
    } else if (cs_run_load(s->run, bytes, n, &err) == CS_OK) {
        if (s == &plain) /* otherwise the loaded parameter may request very long
                          * trajectories */
            must(cs_run_set(s->run, 0, "leapfrogs", 2, NULL));
        cs_run_advance(s->run, 2, NULL, NULL);
    } else if (!err.what[0]) {
        fuzz_broken("error without a message");
    }
    must(cs_run_load(s->run, s->saved, s->size, NULL));
    cs_free(bytes);
}

const fuzz_reader reader_saved_run = {.prepare = prepare, .read = one_input};
