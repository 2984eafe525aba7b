/* How many colours a terminal is sent, and which characters plots are made of:
 * decided from what was asked for and what the terminal says of itself. */
#pragma once

#include "screen/canvas/canvas.h"

/* The words of --color and --glyphs, separated by blanks: "auto" among them. */
#define CS_COLOUR_WORDS "auto never 16 256 true"
#define CS_GLYPH_WORDS "auto ascii block braille"

/* What a terminal is known by. A text that is not there is NULL. */
typedef struct cs_terminal_facts {
    const char *term, *tmux;          /* TERM, TMUX */
    const char *no_color, *colorterm; /* NO_COLOR, COLORTERM */
    const char *glyphs;               /* CHAINSCOPE_GLYPHS */
    bool utf8;                        /* the locale's characters */
    int colours;                      /* by terminfo */
    bool iso; /* it takes colours as ISO 6429 numbers them */
} cs_terminal_facts;

/* TERM, TMUX, NO_COLOR, COLORTERM, CHAINSCOPE_GLYPHS and the locale. */
cs_terminal_facts cs_terminal_facts_make(int colours, bool iso);

/* The first that has something to say: `asked` (a word of CS_COLOUR_WORDS, NULL
 * or "auto": nothing), NO_COLOR, what terminfo and COLORTERM say. COLORTERM is
 * inherited by what runs in a terminal: GNU screen, which shows none of 2^24
 * colours, is known by its TERM without TMUX. What is asked for is sent to a
 * terminal that takes numbers; elsewhere what terminfo has. */
cs_tier cs_tier_choose(const cs_terminal_facts *f, const char *asked);

/* `asked`, CHAINSCOPE_GLYPHS, then what the locale and TERM can show. */
cs_glyphs cs_glyphs_choose(const cs_terminal_facts *f, const char *asked);

/* Whether `word` is one of `words`. */
bool cs_word_among(const char *words, const char *word);
