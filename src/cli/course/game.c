/* chainscope game [NAME]: three of four arms are correct; the player looks for
 * the broken one. Reads lines from stdin, on a terminal or in a pipe. */
#include "base/clock.h"
#include "base/text.h"
#include "cli/course/last_line.h"
#include "cli/front/front.h"
#include "cli/line/stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sends a line and prints the answer. Sets *over if the answer ends the
 * game. */
static cs_status obey(cs_client *c, const char *line, bool *over, cs_error *err)
{
    char *text;
    cs_status status = cs_front_hear(c, line, &text, err);
    if (!status) {
        *over = *cs_last_line(text) != 0;
        cs_text_write(text, strlen(text), stdout);
        fflush(stdout);
    }
    free(text);
    return status;
}

static cs_status start(cs_client *c, const cs_args *args, uint64_t seed,
                       cs_error *err)
{
    char line[300] = "game start", set[200];
    bool over;
    snprintf(set, sizeof set, "seed=%llu", (unsigned long long)seed);
    bool fits = cs_front_add(line, sizeof line, set);
    if (args->n_words) {
        snprintf(set, sizeof set, "name=%.100s", args->word[0]);
        fits = fits && cs_front_add(line, sizeof line, set);
    }
    return fits ? obey(c, line, &over, err)
                : cs_fail(err, CS_INPUT, "the name of the fault is too long");
}

static cs_status play(cs_client *c, cs_error *err)
{
    char text[200], line[460];
    bool over = false, terminal = isatty(STDIN_FILENO);
    cs_status status = CS_OK;
    while (!status && !over) {
        if (terminal)
            printf("> ");
        fflush(stdout);
        if (!fgets(text, sizeof text, stdin))
            snprintf(text, sizeof text, "quit");
        text[strcspn(text, "\n")] = 0;
        strcpy(line, "game line");
        if (!cs_front_add(line, sizeof line, text))
            return cs_fail(err, CS_INPUT, "the line is too long");
        status = obey(c, line, &over, err);
    }
    return status;
}

static int game(const cs_args *args)
{
    cs_client *c;
    cs_error err;
    const cs_front_options options = {0};
    uint64_t seed, now = (uint64_t)(cs_clock() * 1e3) % 100000;
    if (cs_args_count(args, "seed", now, &seed, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    if (cs_front_create(&c, &options, &err))
        return cs_complain(&err);
    cs_status status = start(c, args, seed, &err);
    if (!status)
        status = play(c, &err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"seed", "N", "the game to play; by default by the clock"},
};

const cs_subcommand cs_subcommand_game = {
    .name = "game",
    .args = "[FAULT]",
    .help = "find the one broken kernel of four",
    .more =
        "Three arms sample the target correctly, one has a fault of "
        "cs.faulty:\n"
        "FAULT, or one that the seed selects. Each line of input is a move:\n"
        "  (empty)     run 50 steps; a number N: run N times 50 steps\n"
        "  a, b, c, d  name the broken arm; this ends the game\n"
        "  check a     test the laws of one arm, once\n"
        "  quit        show the answer\n"
        "Naming the broken arm after 50 steps scores 100; each doubling of\n"
        "the steps costs 10, the check 30, and a wrong answer scores -50.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .main = game,
};
