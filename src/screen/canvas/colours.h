/* Chooses the number of colours sent to a terminal and the characters of plots,
 * from the user's choice and from the terminal's own reports. */
#pragma once

#include "screen/canvas/canvas.h"

/* The words of --color and --glyphs, separated by blanks, including "auto". */
#define CS_COLOUR_WORDS "auto never 16 256 true"
#define CS_GLYPH_WORDS "auto ascii block braille"

/* The user's choice between pictures in pixels and in characters, and the words
 * of the command `graphics`. AUTO asks the terminal once, when the program
 * starts; ON asks again. */
#define CS_GRAPHICS_WORDS "auto on off"
typedef enum cs_graphics_choice {
    CS_GRAPHICS_AUTO,
    CS_GRAPHICS_ON,
    CS_GRAPHICS_OFF,
    CS_GRAPHICS_CHOICES
} cs_graphics_choice;
/* Returns the word of a choice. cs_graphics_read returns the choice of a word;
 * CS_GRAPHICS_AUTO: the word is unknown. */
const char *cs_graphics_word(cs_graphics_choice choice);
cs_graphics_choice cs_graphics_read(const char *word);

/* Facts about a terminal. A missing string is NULL. */
typedef struct cs_terminal_facts {
    const char *term, *tmux;          /* values of TERM, TMUX */
    const char *no_color, *colorterm; /* values of NO_COLOR, COLORTERM */
    const char *glyphs;               /* value of CHAINSCOPE_GLYPHS */
    bool utf8;                        /* the locale's character set is UTF-8 */
    int colours; /* number of colours according to terminfo */
    bool iso;    /* the terminal accepts colour numbers of ISO 6429 */
} cs_terminal_facts;

/* Reads TERM, TMUX, NO_COLOR, COLORTERM, CHAINSCOPE_GLYPHS and the locale. */
cs_terminal_facts cs_terminal_facts_make(int colours, bool iso);

/* Chooses the colours by the first source that decides: `asked` (a word of
 * CS_COLOUR_WORDS; NULL or "auto" does not decide), NO_COLOR, then terminfo and
 * COLORTERM. GNU screen has no 24-bit colours but inherits COLORTERM from the
 * terminal in which it runs. Therefore it is recognised by its TERM; tmux,
 * which may use the same TERM, sets TMUX as well. Requested colours are sent
 * unchanged if the terminal accepts ISO numbers; otherwise at most the colours
 * of terminfo are used. */
cs_tier cs_tier_choose(const cs_terminal_facts *f, const char *asked);

/* Chooses the characters by `asked`, CHAINSCOPE_GLYPHS, then the locale and
 * TERM. */
cs_glyphs cs_glyphs_choose(const cs_terminal_facts *f, const char *asked);

/* Returns true if `word` is one of `words`. */
bool cs_word_among(const char *words, const char *word);
