/* Fuzzes command-line arguments. The first byte selects the sub-command, and
 * each line is one argument. */
#include "cli/line/subcommand.h"
#include "fuzz.h"

#include <string.h>

enum { MOST = 64 };

static void one_input(const uint8_t *data, size_t size)
{
    static cs_args args;
    char *argv[MOST];
    cs_error err = {0};
    int argc = 0;
    size_t n = 0;
    while (cs_subcommand_at(n))
        n++;
    if (size == 0)
        return;
    const cs_subcommand *sub = cs_subcommand_at(data[0] % n);
    char *line = fuzz_text(data + 1, size - 1);
    while (line && argc < MOST) {
        argv[argc++] = line;
        line = strchr(line, '\n');
        if (line)
            *line++ = 0;
    }
    if (cs_args_read(&args, sub, argc, argv, &err) != CS_OK) {
        if (!err.what[0])
            fuzz_broken("error without a message");
        return;
    }
    for (size_t i = 0; i < sub->n_options; i++) {
        uint64_t count;
        cs_args_count(&args, sub->options[i].name, 1, &count, &err);
        cs_args_value(&args, sub->options[i].name);
    }
}

const fuzz_reader reader_arguments = {.read = one_input};
