/* The table of actions: name, keys, command lines and help of each action. Key
 * handling, the key line and the help page use this table. */
#pragma once

#include "screen/state/ui.h"
#include "screen/term/key_codes.h"

enum { CS_WORD = 64 /* bytes of a completion */ };

/* Sends command lines to the session. Returns false if a line is not
 * accepted. */
typedef struct cs_sender {
    bool (*send)(void *self, const char *line);
    void *self;
} cs_sender;

/* A key press, or a typed command that has the same effect. For a command
 * without a corresponding key, `key` is 0. */
typedef struct cs_key_press {
    cs_ui *ui;
    const cs_shot *shot;
    const cs_sender *to;
    unsigned key;
    bool typed;
} cs_key_press;

/* CS_SPARE: the key line shows the action only if there is space after the
 * other actions. CS_OWN: the action changes an option of the focused panel, and
 * applies only if the panel has that option; the key line shows these actions
 * first. CS_ARMS: the action needs several arms. */
enum {
    CS_SPARE = 1 << 8,
    CS_OWN = 1 << 9,
    CS_ARMS = 1 << 10,
    CS_ACTION_KEYS = 4
};
typedef struct cs_action {
    const char *name;
    unsigned keys[CS_ACTION_KEYS];
    const char *line[CS_ACTION_KEYS]; /* command line of each key */
    const char *label; /* the keys as displayed; NULL: their names */
    const char
        *brief;       /* shorter form of `label` for the key line; NULL: none */
    const char *word; /* word on the key line; NULL: not displayed */
    const char *help;
    unsigned views; /* bits 1 << cs_view, CS_SPARE, CS_OWN, CS_ARMS */
    void (*act)(const cs_key_press *p); /* NULL: runs `line` */
} cs_action;

const cs_action *cs_action_at(size_t i);
const cs_action *cs_action_find(const char *name);

/* Runs key number k of an action. */
void cs_act(const cs_key_press *p, const cs_action *action, size_t k);

/* ---- actions by command line (key_lines.c) ---- */

/* Returns the action that runs a complete command line, preferably one that
 * belongs to one of the `views`. Only actions with an `act` count. Stores
 * the index of the action's key for this line in *k. Returns NULL if no
 * action has the line. */
const cs_action *cs_action_of_line(const char *line, unsigned views, size_t *k);
/* Returns the first action that has a command line starting with the word. If
 * no action has such a line, returns NULL. */
const cs_action *cs_action_beginning(const char *word);
/* Writes the command lines of an action: ":step 1, :step 100". */
void cs_action_lines(const cs_action *action, char *out, size_t size);
/* If `first` is "", returns word number i among the first words of the actions'
 * command lines. Otherwise returns word number i among the words that follow
 * `first` in these lines. The word may be stored in `buffer`. Past the last
 * word, returns NULL. */
const char *cs_action_word(const char *first, size_t i, char buffer[CS_WORD]);
/* Writes the name of key k of an action: the key set by the user or the
 * keyboard layout, otherwise the default. Writes "-" and sets *key = 0 if that
 * key has another meaning. */
void cs_action_key(const cs_ui *ui, const cs_action *action, size_t k,
                   char *out, size_t size, unsigned *key);
/* Writes word number k of an action's label. The words of the label name the
 * action's keys, with the same replacements as in cs_action_key; if `ui` is
 * NULL, writes the default word. Returns false past the last word. */
bool cs_action_label(const cs_ui *ui, const cs_action *action, size_t k,
                     char *out, size_t size, unsigned *key);

/* Writes all words of an action's label. */
void cs_action_labels(const cs_ui *ui, const cs_action *action, char *out,
                      size_t size);

/* Sets parameter k of the chosen arm; does nothing if there is no arm. */
void cs_set_param(const cs_key_press *p, size_t k, double to);

/* Sends a command line to the session. */
void cs_say(const cs_key_press *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Runs a command line of the screen or the session. */
void cs_obey(const cs_key_press *p, const char *line);

/* Performs the action of the key in the current view. Returns false if the
 * key has no use in this view. */
bool cs_press(cs_ui *ui, const cs_shot *s, const cs_sender *to, unsigned key);
