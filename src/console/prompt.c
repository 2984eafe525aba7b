#include "console/prompt.h"

#include "base/text.h"
#include "files/folders.h"
#include "files/open.h"

#include <readline/history.h>
#include <readline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEPT = 1000, OFFERS = 256 };

static const char lua_breaks[] = " \t\n\"\\'`@$><=;|&{}()[],+-*/%^#~";

/* All state is in one variable, since readline itself has a single global
 * state. */
static struct {
    char history[512]; /* "": no file */
    int added;         /* lines added since the program started */
    cs_prompt_complete *complete;
    void *self;
    bool open, done;
    char *line;
    char *offer[OFFERS]; /* completions being collected [own] */
    size_t n_offers, next;
} state;

static void finished(char *line)
{
    state.line = line;
    state.done = true;
    cs_prompt_end();
    if (line && *line) {
        add_history(line);
        state.added++;
    }
}

/* ---- completion ---------------------------------------------------------- */

/* Adds a completion. Since completions come from a script, a completion that
 * contains control characters is dropped. */
static void take_offer(void *to, const char *text)
{
    char clean[512];
    (void)to;
    cs_text_clean(text, clean, sizeof clean);
    if (state.n_offers < OFFERS && strcmp(clean, text) == 0)
        state.offer[state.n_offers++] = strdup(text);
}

static char *next_offer(const char *word, int first)
{
    (void)word, (void)first;
    return state.next < state.n_offers ? state.offer[state.next++] : NULL;
}

static char **complete(const char *word, int start, int end)
{
    char line[4096];
    (void)start;
    snprintf(line, sizeof line, "%.*s", end, rl_line_buffer);
    state.n_offers = state.next = 0;
    state.complete(state.self, line, take_offer, NULL);
    rl_attempted_completion_over = 1;
    rl_completion_append_character = *line == ':' ? ' ' : '\0';
    char **list = rl_completion_matches(word, next_offer);
    while (state.next < state.n_offers)
        free(state.offer[state.next++]);
    return list;
}

/* Returns the characters that separate words. Readline declares them as
 * writable, but does not change them. */
static char *word_breaks(void)
{
    static char blank[] = " ", lua[sizeof lua_breaks];
    memcpy(lua, lua_breaks, sizeof lua);
    return *rl_line_buffer == ':' ? blank : lua;
}

/* Prints the matches. Readline treats the colon as a part of a command's name,
 * so the colon is not printed. */
static void show_matches(char **matches, int n, int longest)
{
    rl_display_match_list(matches, n, longest);
    rl_forced_update_display();
}

/* ---- the line ------------------------------------------------------------ */

void cs_prompt_open(const char *history, cs_prompt_complete *f, void *self)
{
    static char name[] = "chainscope";
    rl_readline_name = name;
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_attempted_completion_function = complete;
    rl_completion_word_break_hook = word_breaks;
    rl_completion_display_matches_hook = show_matches;
    state.complete = f;
    state.self = self;
    if (cs_folder_state(history, state.history, sizeof state.history))
        read_history(state.history);
    else
        *state.history = 0;
    stifle_history(KEPT);
}

void cs_prompt_begin(const char *prompt)
{
    state.done = false;
    state.open = true;
    rl_callback_handler_install(prompt, finished);
}

void cs_prompt_end(void)
{
    if (state.open)
        rl_callback_handler_remove();
    state.open = false;
}

bool cs_prompt_read(char **line)
{
    rl_callback_read_char();
    *line = state.done ? state.line : NULL;
    return state.done;
}

void cs_prompt_clear(void)
{
    rl_free_line_state();
    rl_callback_sigcleanup();
    rl_replace_line("", 0);
    rl_crlf();
    cs_prompt_end();
}

void cs_prompt_resize(void)
{
    rl_resize_terminal();
}

void cs_prompt_suspend(void)
{
    rl_deprep_terminal();
}

void cs_prompt_resume(void)
{
    rl_prep_terminal(1);
    rl_forced_update_display();
}

/* Appends to the history file instead of rewriting it, so that simultaneous
 * prompts lose no lines. */
void cs_prompt_close(void)
{
    cs_prompt_end();
    if (!*state.history || !state.added)
        return;
    FILE *file = cs_open_to(state.history, "a");
    if (file && fclose(file) == 0)
        append_history(state.added, state.history);
    history_truncate_file(state.history, KEPT);
    clear_history();
}
