/* The table of actions: name, keys, command lines and help of each. Key
 * handling, the key line and the help page are made from these rows. */
#pragma once

#include "screen/state/ui.h"
#include "screen/term/key_codes.h"

enum { CS_WORD = 64 /* bytes of a completion */ };

/* The receiver of command lines for the session; returns false if it does not
 * accept them. */
typedef struct cs_sender {
    bool (*send)(void *self, const char *line);
    void *self;
} cs_sender;

/* A key press, or a typed command with the same effect as that key; 0: no key
 * has that effect. */
typedef struct cs_key_press {
    cs_ui *ui;
    const cs_shot *shot;
    const cs_sender *to;
    unsigned key;
    bool typed;
} cs_key_press;

/* CS_SPARE: on the key line only where there is room after the others. CS_OWN:
 * belongs to the focused panel if its options use the key; these come first. */
enum { CS_SPARE = 1 << 8, CS_OWN = 1 << 9, CS_ACTION_KEYS = 4 };
typedef struct cs_action {
    const char *name;
    unsigned keys[CS_ACTION_KEYS];
    const char *line[CS_ACTION_KEYS]; /* command line of each key */
    const char *label; /* how the keys are written; NULL: by their names */
    const char *word;  /* on the key line; NULL: not there */
    const char *help;
    unsigned views; /* bits 1 << cs_view, CS_SPARE, CS_OWN */
    void (*act)(const cs_key_press *p); /* NULL: its lines are run */
} cs_action;

const cs_action *cs_action_at(size_t i);
const cs_action *cs_action_find(const char *name);

/* Runs key number k of an action. */
void cs_act(const cs_key_press *p, const cs_action *action, size_t k);

/* ---- the same by command line (key_lines.c) -------- */

/* Returns the action with an `act`, and its key *k, of a complete line,
 * preferably one of these views. NULL: none. */
const cs_action *cs_action_of_line(const char *line, unsigned views, size_t *k);
/* Returns the first action whose lines start with that word; NULL: none. */
const cs_action *cs_action_beginning(const char *word);
/* Writes ":step 1, :step 100". */
void cs_action_lines(const cs_action *action, char *out, size_t size);
/* Returns word number i of those that such lines start with (`first` ""), or
 * that follow the word `first`, possibly stored in `room`. NULL past the
 * last. */
const char *cs_action_word(const char *first, size_t i, char room[CS_WORD]);
/* Writes the name of key k of an action: the user's own or the keyboard's key,
 * else its default; "-" and *key = 0 if that key has another meaning. */
void cs_action_key(const cs_ui *ui, const cs_action *action, size_t k,
                   char *out, size_t size, unsigned *key);
/* Writes word number k of an action's keys in the same way, or the defaults
 * without a user; false past the last. */
bool cs_action_label(const cs_ui *ui, const cs_action *action, size_t k,
                     char *out, size_t size, unsigned *key);

/* Writes all of these words. */
void cs_action_labels(const cs_ui *ui, const cs_action *action, char *out,
                      size_t size);

/* Sets parameter k of the chosen arm; does nothing without one. */
void cs_set_param(const cs_key_press *p, size_t k, double to);

/* Sends a command line to the session. */
void cs_say(const cs_key_press *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Runs a command line of the screen or the session. */
void cs_obey(const cs_key_press *p, const char *line);

/* Runs the key in the current view; returns false if it has no meaning
 * there. */
bool cs_press(cs_ui *ui, const cs_shot *s, const cs_sender *to, unsigned key);
