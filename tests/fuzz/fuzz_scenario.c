/* Fuzzes scenarios. An untrusted scenario is loaded under limits, opened with
 * the --set options of its leading lines ("--set ..."), advanced by some steps
 * and displayed. */
#include "fuzz.h"
#include "run/arms/arms.h"
#include "run/rewind.h"
#include "run/run.h"
#include "run/views/stopped.h"
#include "run/views/view.h"
#include "script/host.h"

#include <gsl/gsl_errno.h>
#include <string.h>
#include <sys/resource.h>

static void prepare(void)
{
    gsl_set_error_handler_off();
}

/* Removes the leading lines "--set name=value" and collects them. */
static char *take_sets(char *text, const char **set, size_t *n)
{
    static const char mark[] = "--set ";
    for (*n = 0; *n < 8 && strncmp(text, mark, sizeof mark - 1) == 0;) {
        char *end = strchr(text, '\n');
        set[(*n)++] = text + sizeof mark - 1;
        if (!end)
            return text + strlen(text);
        *end = 0;
        text = end + 1;
    }
    return text;
}

static void hear(void *to, const char *text, size_t n)
{
    (void)to;
    (void)text;
    (void)n;
}

static void use(cs_host *host, cs_run *run)
{
    cs_error err = {0};
    char why[256];
    size_t dim = cs_run_target(run)->space.dim;
    size_t chains = cs_run_arm(run, 0).chains;
    host->attach(host->self, run);
    if (dim * chains < 10000) {
        cs_run_advance(run, 3, NULL, &err);
        host->events(host->self, run, hear, NULL, &err);
        cs_run_fault(run, why, sizeof why);
        cs_run_rewind(run, 1, &err);
    }
    host->attach(host->self, NULL);
    cs_run_destroy(run);
}

static void one_input(const uint8_t *data, size_t size)
{
    static const cs_script_limits limits = {.memory = 16 << 20, .seconds = 0.2};
    const char *set[8];
    size_t n;
    cs_host host;
    cs_error err = {0};
    static cs_opened opened;
    char *text = take_sets(fuzz_text(data, size), set, &n);
    if (cs_script_host_create(&host, &limits, ".", &err) != CS_OK)
        fuzz_broken(err.what);
    const char *path = fuzz_file(text, strlen(text));
    if (host.open(host.self, path, set, n, &opened, &err) == CS_OK)
        use(&host, opened.run);
    else if (!err.what[0])
        fuzz_broken("error without a message");
    cs_script_host_destroy(&host);
}

const fuzz_reader reader_scenario = {.prepare = prepare, .read = one_input};
