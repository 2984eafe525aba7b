/* Fuzzes the replay of journals. The run writes a journal of its own, which
 * ends before the line that was rejected. The replay of this journal must give
 * an equal run. */
#include "base/memory.h"
#include "fuzz.h"
#include "run/arms/limits.h"
#include "run/history/changes.h"
#include "run/run.h"
#include "run/run_replay.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200 };

static cs_target *target;

static void must(cs_status s)
{
    if (s != CS_OK)
        fuzz_broken("cannot create a run");
}

static void prepare(void)
{
    must(cs_target_create(cs_target_find("gaussian"), NULL, 0, &target, NULL));
}

static cs_run *fresh(void)
{
    cs_run *run;
    cs_arm_spec arm[2] = {{.name = "a"}, {.name = "b", .chains = 2}};
    must(cs_kernel_init(&arm[0].kernel, cs_kernel_find("random_walk"), NULL, 0,
                        NULL));
    must(cs_kernel_init(&arm[1].kernel, cs_kernel_find("mala"), NULL, 0, NULL));
    const cs_run_spec spec = {.target = target,
                              .arms = arm,
                              .n_arms = 2,
                              .chains = 3,
                              .seed = 1,
                              .workers = 1,
                              .keep = 8,
                              .rewind_bytes = 1};
    must(cs_run_create(&run, &spec, NULL));
    return run;
}

/* Returns true if replaying the journal would take too long, because it has
 * many steps, or steps with long trajectories. */
static bool is_long(const char *text)
{
    if (strstr(text, "hmc") || strstr(text, "leapfrogs"))
        return true;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, "\n \t\r");
        if (isdigit((unsigned char)*line) && strtoull(line, NULL, 10) > STEPS)
            return true;
    }
    return false;
}

/* Checks that a journal written by a run is accepted. The replayed run must
 * write an equal journal. */
static void again(const char *text)
{
    char *written;
    cs_run *run = fresh();
    cs_error err = {0};
    if (cs_run_replay(run, text, &err) != CS_OK)
        fuzz_broken(err.what);
    must(cs_run_journal_text(run, &written, NULL));
    if (strcmp(written, text) != 0)
        fuzz_broken("the journal changes when written again");
    cs_free(written);
    cs_run_destroy(run);
}

static void one_input(const uint8_t *data, size_t size)
{
    char *written, *text = fuzz_text(data, size);
    cs_error err = {0};
    if (is_long(text))
        return;
    cs_run *run = fresh();
    if (cs_run_replay(run, text, &err) != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
    must(cs_run_journal_text(run, &written, NULL));
    if (cs_run_lives(run))
        again(written);
    cs_free(written);
    cs_run_destroy(run);
}

const fuzz_reader reader_journal = {.prepare = prepare, .read = one_input};
