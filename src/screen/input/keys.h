/* Every action once: its name, its keys, the command it is, its help. The key
 * handling, the key line and the help page are made from these rows. */
#pragma once

#include "screen/state/ui.h"
#include "screen/term/key_codes.h"

enum { CS_WORD = 64 /* bytes of a word that completes a line */ };

/* Where command lines for the session go; false when it does not take them. */
typedef struct cs_sender {
    bool (*send)(void *self, const char *line);
    void *self;
} cs_sender;

/* A key that was pressed, or a command that was typed which does the same as
 * that key; 0: none does. */
typedef struct cs_key_press {
    cs_ui *ui;
    const cs_shot *shot;
    const cs_sender *to;
    unsigned key;
    bool typed;
} cs_key_press;

/* CS_SPARE: on the key line where the others leave room. CS_OWN: of the panel
 * with the focus, where its options have the key: those come first. */
enum { CS_SPARE = 1 << 8, CS_OWN = 1 << 9, CS_ACTION_KEYS = 4 };
typedef struct cs_action {
    const char *name;
    unsigned keys[CS_ACTION_KEYS];
    const char *line[CS_ACTION_KEYS]; /* the command line that each key is */
    const char *label;                /* how the keys are written */
    const char *word;                 /* on the key line; "" = not there */
    const char *help;
    unsigned views; /* bits 1 << cs_view, CS_SPARE, CS_OWN */
    void (*act)(const cs_key_press *p); /* NULL: its lines are obeyed */
} cs_action;

const cs_action *cs_action_at(size_t i);
const cs_action *cs_action_find(const char *name);

/* What key number k of an action does. */
void cs_act(const cs_key_press *p, const cs_action *action, size_t k);

/* ---- the same by its command line (key_lines.c) ---- */

/* The action, with an `act`, and its key *k, that a line without more words is;
 * one of these views if there is one. NULL: none. */
const cs_action *cs_action_of_line(const char *line, unsigned views, size_t *k);
/* The first action whose lines begin with that word; NULL: none. */
const cs_action *cs_action_beginning(const char *word);
/* ":step 1, :step 100" */
void cs_action_lines(const cs_action *action, char *out, size_t size);
/* Number i of the words that such lines begin with, first "", or that follow
 * the word `first`; be it in `room`. NULL past the last. */
const char *cs_action_word(const char *first, size_t i, char room[CS_WORD]);
/* How the key k of an action is written: as the user's own keys and the
 * keyboard have it, else its own; "-" and *key = 0 where that has another
 * meaning. */
void cs_action_key(const cs_ui *ui, const cs_action *action, size_t k,
                   char *out, size_t size, unsigned *key);
/* Word number k of its label, likewise; false past the last. */
bool cs_action_label(const cs_ui *ui, const cs_action *action, size_t k,
                     char *out, size_t size, unsigned *key);

/* Sets parameter k of the chosen arm; nothing where there is none. */
void cs_set_param(const cs_key_press *p, size_t k, double to);

/* Sends a command line to the session. */
void cs_say(const cs_key_press *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Obeys a command line, the screen's or the session's. */
void cs_obey(const cs_key_press *p, const char *line);

/* Does what the key means in this view; false when it means nothing. */
bool cs_press(cs_ui *ui, const cs_shot *s, const cs_sender *to, unsigned key);
