/* Fuzzes the functions with which a scenario's script reads data files. A table
 * or JSON file becomes a Lua table, or raises an error that the script can
 * catch. */
#include "fuzz.h"
#include "script/host.h"

#include <gsl/gsl_errno.h>
#include <string.h>

static const char read_both[] =
    "for _, read in ipairs { cs.read_json, cs.read_table, cs.read_idx } do "
    "local good, what = pcall(read, 'input') "
    "assert(good or #tostring(what) > 0) end";

static void prepare(void)
{
    gsl_set_error_handler_off();
}

static void hear(void *to, const char *text, size_t n)
{
    (void)to;
    (void)text;
    (void)n;
}

static void one_input(const uint8_t *data, size_t size)
{
    static const cs_script_limits limits = {.memory = 16 << 20, .seconds = 2};
    static cs_host host;
    cs_error err = {0};
    fuzz_file(data, size);
    if (!host.self && cs_script_host_create(&host, &limits, ".", &err) != CS_OK)
        fuzz_broken(err.what);
    if (host.eval(host.self, read_both, hear, NULL, &err) != CS_OK)
        fuzz_broken(err.what);
}

const fuzz_reader reader_read = {.prepare = prepare, .read = one_input};
