/* Fuzzes lines typed at the Lua prompt, and their completion. */
#include "fuzz.h"
#include "script/host.h"

#include <gsl/gsl_errno.h>
#include <string.h>

static void prepare(void)
{
    gsl_set_error_handler_off();
}

static void count(void *to, const char *text, size_t n)
{
    size_t *all = to;
    *all += n + (n && !text);
}

static void one_input(const uint8_t *data, size_t size)
{
    static const cs_script_limits limits = {.memory = 16 << 20, .seconds = 0.1};
    static _Alignas(8) unsigned char memory[1 << 14];
    size_t printed = 0;
    cs_host host;
    cs_error err = {0};
    cs_flat table;
    if (cs_script_host_create(&host, &limits, ".", &err) != CS_OK)
        fuzz_broken(err.what);
    char *text = fuzz_text(data, size);
    for (int i = 0; i < 8 && text; i++) {
        char *next = strchr(text, '\n');
        if (next)
            *next++ = 0;
        cs_flat_begin(&table, memory, sizeof memory);
        host.complete(host.self, text, &table);
        host.eval(host.self, text, count, &printed, &err);
        text = next;
    }
    cs_script_host_destroy(&host);
}

const fuzz_reader reader_console = {.prepare = prepare, .read = one_input};
