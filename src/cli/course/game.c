/* chainscope game [NAME]: three of four arms are correct; the player looks for
 * the broken one, on the screen or by lines from stdin. */
#include "base/clock.h"
#include "base/install_paths.h"
#include "base/text.h"
#include "cli/front/front.h"
#include "cli/front/last_line.h"
#include "cli/line/stop.h"
#include "cli/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_OF_GAME "scenarios/course/game.lua"

/* Sends "game say MOVE" and prints the answer. An answer that ends the game sets
 * *over. */
static cs_status obey(cs_client *c, const char *move, bool *over, cs_error *err)
{
    char line[300], *text;
    snprintf(line, sizeof line, "game say %s", move);
    cs_status status = cs_front_hear(c, line, &text, err);
    if (!status) {
        *over = *cs_last_line(text) != 0;
        cs_text_write(text, strlen(text), stdout);
        fflush(stdout);
    }
    free(text);
    return status;
}

/* Prints the error of a move that the rules refuse. The game then continues. */
static cs_status forgive(cs_status status, const cs_error *err)
{
    char text[1100];
    if (status != CS_INPUT && status != CS_SCRIPT)
        return status;
    cs_error_format(err, text, sizeof text);
    cs_text_write(text, strlen(text), stdout);
    putchar('\n');
    return CS_OK;
}

/* Plays by lines. An empty line is a move of 50 steps; the end of the input shows
 * the answer. */
static cs_status play(cs_client *c, cs_error *err)
{
    char text[200];
    bool over = false, terminal = isatty(STDIN_FILENO);
    cs_status status = obey(c, "", &over, err);
    while (!status && !over) {
        if (terminal)
            printf("> ");
        fflush(stdout);
        if (!fgets(text, sizeof text, stdin))
            snprintf(text, sizeof text, "quit");
        text[strcspn(text, "\n")] = 0;
        const char *move = text[strspn(text, " \t")] ? text : "1";
        status = forgive(obey(c, move, &over, err), err);
    }
    return status;
}

static int play_lines(const cs_args *args, const char *const *more)
{
    cs_client *c;
    cs_error err;
    cs_front_options options = {0};
    if (cs_front_read(args, &options, &err) ||
        cs_front_create(&c, &options, &err))
        return cs_complain(&err);
    cs_status status = cs_front_open(c, args, more, &err);
    if (!status)
        status = play(c, &err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static int game(const cs_args *args)
{
    cs_error err;
    char path[1024], seed[40], fault[120];
    const char *more[] = {seed, args->n_words ? fault : NULL, NULL};
    uint64_t n, now = (uint64_t)(cs_clock() * 1e3) % 100000;
    if (cs_args_count(args, "seed", now, &n, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    snprintf(seed, sizeof seed, "seed=%llu", (unsigned long long)n);
    snprintf(fault, sizeof fault, "fault=%.100s",
             args->n_words ? args->word[0] : "");
    cs_install_path(path, sizeof path, FILE_OF_GAME);
    cs_args opens = *args;
    opens.word[0] = path;
    opens.n_words = 1;
    bool screen = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
                  !cs_args_value(args, "plain");
    return screen ? cs_screen_main(&opens, more, NULL)
                  : play_lines(&opens, more);
}

static const cs_option options[] = {
    {"seed", "N", "the game to play; by default by the clock"},
    {"plain", NULL, "play by lines, as without a terminal"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_game = {
    .name = "game",
    .args = "[FAULT]",
    .help = "find the one broken kernel of four",
    .more =
        "Three arms sample the target correctly, one has a fault of "
        "cs.faulty:\n"
        "FAULT, or one that the seed selects. On the screen, enter runs 50 "
        "steps, a digit\n"
        "marks an arm, the same digit names it, and t tests it. Without a "
        "terminal, or\n"
        "with --plain, each line is a move:\n"
        "  (empty)     run 50 steps; a number N: run N times 50 steps\n"
        "  a, b, c, d  name the broken arm; this ends the game\n"
        "  check a     test the laws of one arm, once\n"
        "  quit        show the answer\n"
        "Naming the broken arm after 50 steps scores 100; each doubling of\n"
        "the steps costs 10, the check 30, and a wrong answer scores -50.\n"
        "`chainscope course` shows the best score.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 1,
    .main = game,
};
