/* chainscope: the main program, which finds the sub-command and runs it. */
#include "base/text.h"
#include "cli/line/subcommand.h"
#include "files/file.h"

#include <gsl/gsl_errno.h>
#include <string.h>
#include <unistd.h>

static int unknown(const char *word)
{
    const char *names[32] = {"--help", "--version"};
    const cs_subcommand *sub;
    for (size_t i = 0; (sub = cs_subcommand_at(i)) && i < 29; i++)
        names[i + 2] = sub->name;
    cs_error err;
    cs_fail(&err, CS_UNKNOWN, "unknown sub-command '%s'", word);
    const char *near = cs_text_nearest(word, names);
    if (near)
        cs_hint(&err, "did you mean '%s'?", near);
    else
        cs_hint(&err, "list the sub-commands: chainscope --help");
    cs_complain(&err);
    return CS_EXIT_USAGE;
}

/* Returns true if the word is a file name, that is, if it has a dot or a slash,
 * or the name of a folder. "chainscope FILE" opens the screen. */
static bool is_file(const char *word)
{
    return word[0] != '-' &&
           (strchr(word, '.') || strchr(word, '/') || cs_is_folder(word));
}

int main(int argc, char **argv)
{
    gsl_set_error_handler_off();
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    const char *first = argc > 1 ? argv[1] : terminal ? "screen" : "--help";
    if (strcmp(first, "--version") == 0) {
        cs_version();
        return CS_EXIT_OK;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        cs_help_all();
        return argc > 1 ? CS_EXIT_OK : CS_EXIT_USAGE;
    }
    cs_warn_of_slow_vectors();
    const cs_subcommand *sub = cs_subcommand_find(first);
    int code;
    if (sub && argc == 1)
        code = cs_run_subcommand(sub, 0, argv);
    else if (sub)
        code = cs_run_subcommand(sub, argc - 2, argv + 2);
    else if (is_file(first))
        code =
            cs_run_subcommand(cs_subcommand_find("screen"), argc - 1, argv + 1);
    else
        code = unknown(first);
    return cs_flush(code);
}
