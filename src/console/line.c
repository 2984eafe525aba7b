#include "console/line.h"

#include "base/text.h"
#include "files/folders.h"
#include "screen/input/keys.h"

#include <assert.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 1000 };

/* All state is in one variable, since readline itself has a single global
 * state. */
static struct {
    unsigned char queue[16];
    size_t head, tail;
    char mark;
    bool done, given_up;
    char *line; /* [own] finished line */
    struct history {
        HISTORY_STATE *list; /* [own] */
        char file[512];      /* "": no file */
    } of[2];                 /* histories: commands, Lua lines */
} state;

static int next_byte(FILE *unused)
{
    (void)unused;
    return state.head < state.tail ? state.queue[state.head++] : EOF;
}

static int more_bytes(void)
{
    return state.head < state.tail;
}

static void nothing(void)
{
}

static void prepare(int meta)
{
    (void)meta;
}

static struct history *history(void)
{
    return &state.of[state.mark == ';'];
}

/* Saves the history immediately, so that no line is lost if the program is
 * killed. */
static void remember(const char *line)
{
    HIST_ENTRY *last = history_get(history_base + history_length - 1);
    if (last && strcmp(last->line, line) == 0)
        return;
    add_history(line);
    if (*history()->file && append_history(1, history()->file) != 0)
        write_history(history()->file); /* the file does not exist yet */
}

static void finished(char *line)
{
    free(state.line);
    state.line = line;
    state.done = true;
    if (line && *line && !state.given_up && state.mark != '/')
        remember(line);
    rl_callback_handler_remove();
}

void cs_line_open(bool kept)
{
    static char name[] = "chainscope";
    rl_readline_name = name;
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_getc_function = next_byte;
    rl_input_available_hook = more_bytes;
    rl_redisplay_function = nothing;
    rl_prep_term_function = prepare;
    rl_deprep_term_function = nothing;
    rl_bind_key('\t', rl_insert);
    static const char *const names[] = {"history", "lua_history"};
    using_history();
    HISTORY_STATE *empty = history_get_history_state();
    for (size_t i = 0; i < 2; i++) {
        struct history *h = &state.of[i];
        history_set_history_state(empty);
        if (kept && cs_folder_state(names[i], h->file, sizeof h->file))
            read_history(h->file);
        else
            *h->file = 0;
        stifle_history(KEPT);
        h->list = history_get_history_state();
    }
    free(empty);
    /* readline now holds the history of ';', which was loaded last */
    state.mark = ';';
}

/* Stores the history list of readline as the list of the current mark, since
 * readline has only one list. */
static void keep_list(void)
{
    free(history()->list);
    history()->list = history_get_history_state();
}

void cs_line_close(void)
{
    keep_list();
    for (size_t i = 0; i < 2; i++) {
        history_set_history_state(state.of[i].list);
        if (*state.of[i].file)
            history_truncate_file(state.of[i].file, KEPT);
        clear_history();
        free(state.of[i].list);
        HISTORY_STATE *cleared = history_get_history_state(), none = {0};
        free(cleared->entries); /* clear_history does not free the array */
        free(cleared);
        history_set_history_state(&none);
    }
    free(state.line);
    state.line = NULL;
}

void cs_line_begin(void *unused, char mark, const char *text)
{
    (void)unused;
    keep_list();
    state.mark = mark;
    history_set_history_state(history()->list);
    using_history();
    state.done = false;
    rl_callback_handler_install("", finished);
    rl_insert_text(text);
}

/* Sends a key to readline, as the bytes that a terminal would send for this
 * key. */
static void feed(unsigned key)
{
    static const struct {
        unsigned key;
        const char *bytes;
    } table[] = {{CS_KEY_UP, "\020"},   {CS_KEY_DOWN, "\016"},
                 {CS_KEY_LEFT, "\002"}, {CS_KEY_RIGHT, "\006"},
                 {CS_KEY_HOME, "\001"}, {CS_KEY_END, "\005"}};
    state.head = state.tail = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].key == key)
            state.queue[state.tail++] = (unsigned char)*table[i].bytes;
    bool alt = (key & CS_KEY_ALT) != 0;
    unsigned code = key & ~(unsigned)CS_KEY_ALT;
    if (state.tail || code >= CS_KEY_UP)
        return;
    state.queue[0] = 27;
    state.tail = alt + cs_utf8_encode(code, (char *)state.queue + alt);
}

/* Discards the line. Readline undoes edits of history lines only when a line is
 * accepted, so an empty line is accepted. Several Enter keys may be needed: an
 * active search or quoted insert consumes some of them. */
static void give_up(void)
{
    state.given_up = true;
    for (int i = 0; i < 4 && !state.done; i++) {
        rl_delete_text(0, rl_end);
        rl_point = 0;
        feed('\n');
        rl_callback_read_char();
    }
    if (!state.done)
        rl_callback_handler_remove();
    state.given_up = false;
    free(state.line);
    state.line = NULL;
}

bool cs_line_key(void *unused, unsigned key, const char **line)
{
    (void)unused;
    *line = NULL;
    if (key == 27 || (key == 127 && rl_end == 0)) {
        give_up();
        return true;
    }
    feed(key);
    while (state.head < state.tail && !state.done)
        rl_callback_read_char();
    *line = state.line;
    return state.done;
}

void cs_line_show(void *unused, char *text, size_t size, int *cursor)
{
    assert(size > 0);
    (void)unused;
    snprintf(text, size, "%c%s", state.mark,
             rl_line_buffer ? rl_line_buffer : "");
    *cursor = 1;
    for (int i = 0; i < rl_point; i++)
        *cursor += (rl_line_buffer[i] & 0xC0) != 0x80;
}

void cs_line_before(void *unused, char *text, size_t size)
{
    (void)unused;
    snprintf(text, size, "%.*s", rl_point,
             rl_line_buffer ? rl_line_buffer : "");
}

void cs_line_replace(void *unused, size_t drop, const char *text)
{
    (void)unused;
    int from = rl_point - (int)drop;
    rl_delete_text(from < 0 ? 0 : from, rl_point);
    rl_point = from < 0 ? 0 : from;
    rl_insert_text(text);
}
