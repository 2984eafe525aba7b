/* Runs one sub-command: reads its arguments, calls its main function and
 * returns its exit code. */
#include "cli/line/subcommand.h"

#include "base/text.h"
#include "cli/line/draw_words.h"
#include "cli/line/executable.h"
#include "cli/line/stop.h"

#include <stdio.h>
#include <string.h>

void cs_help_one(const cs_subcommand *sub)
{
    printf("usage: chainscope %s %s\n\n%s\n", sub->name, sub->args, sub->help);
    if (sub->n_options)
        printf("\n");
    for (size_t i = 0; i < sub->n_options; i++) {
        char head[64];
        const char *arg = sub->options[i].arg ? sub->options[i].arg : "";
        snprintf(head, sizeof head, *arg == '[' ? "--%s%s" : "--%s %s",
                 sub->options[i].name, arg);
        printf("  %-24s %s\n", head, sub->options[i].help);
    }
    if (sub->more[0])
        printf("\n%s", sub->more);
}

int cs_complain(const cs_error *err)
{
    char text[1100];
    if (cs_stop_explains(err))
        return CS_EXIT_FAILED;
    cs_error_format(err, text, sizeof text);
    fputs("chainscope: ", stderr);
    cs_text_write(text, strlen(text), stderr);
    fputc('\n', stderr);
    return CS_EXIT_FAILED;
}

int cs_run_subcommand(const cs_subcommand *sub, int argc, char **argv)
{
    static cs_args args;
    cs_error err;
    for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            cs_help_one(sub);
            return CS_EXIT_OK;
        }
    if (cs_args_read(&args, sub, argc, argv, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    if (!sub->executable) {
        cs_stop_listen();
        return cs_stop_end(cs_draws_main(&args));
    }
    cs_executable_replace(sub->executable, argc, argv, &err);
    return cs_complain(&err);
}

int cs_flush(int code)
{
    cs_error err;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    cs_fail(&err, CS_IO, "standard output cannot be written");
    return cs_complain(&err);
}
