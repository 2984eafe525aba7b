#include "screen/canvas/colours.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

bool cs_word_among(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = words; n && *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (length == n && strncmp(at, word, n) == 0)
            return true;
        at += length;
    }
    return false;
}

const char *cs_graphics_word(cs_graphics_choice choice)
{
    static const char *const words[] = {[CS_GRAPHICS_AUTO] = "auto",
                                        [CS_GRAPHICS_ON] = "on",
                                        [CS_GRAPHICS_OFF] = "off"};
    return words[choice];
}

cs_graphics_choice cs_graphics_read(const char *word)
{
    for (int i = 0; i < CS_GRAPHICS_CHOICES; i++)
        if (strcmp(cs_graphics_word((cs_graphics_choice)i), word) == 0)
            return (cs_graphics_choice)i;
    return CS_GRAPHICS_AUTO;
}

cs_terminal_facts cs_terminal_facts_make(int colours, bool iso)
{
    return (cs_terminal_facts){
        .term = getenv("TERM"),
        .tmux = getenv("TMUX"),
        .no_color = getenv("NO_COLOR"),
        .colorterm = getenv("COLORTERM"),
        .glyphs = getenv("CHAINSCOPE_GLYPHS"),
        .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .colours = colours,
        .iso = iso,
    };
}

static bool is_asked(const char *asked)
{
    return asked && *asked && strcmp(asked, "auto") != 0;
}

/* Returns true if the terminal reports that it has 24-bit colours. */
static bool has_all(const cs_terminal_facts *f)
{
    const char *more = f->colorterm;
    bool screen = f->term && strncmp(f->term, "screen", 6) == 0 && !f->tmux;
    return f->colours > 256 ||
           (more && cs_word_among("truecolor 24bit", more) &&
            f->colours == 256 && !screen);
}

static cs_tier own_tier(const cs_terminal_facts *f)
{
    return f->colours < 8     ? CS_TIER_MONO
           : has_all(f)       ? CS_TIER_TRUE
           : f->colours < 256 ? CS_TIER_16
                              : CS_TIER_256;
}

cs_tier cs_tier_choose(const cs_terminal_facts *f, const char *asked)
{
    static const struct {
        const char *word;
        cs_tier tier;
    } table[] = {{"never", CS_TIER_MONO},
                 {"16", CS_TIER_16},
                 {"256", CS_TIER_256},
                 {"true", CS_TIER_TRUE}};
    cs_tier own = own_tier(f), want = own;
    if (!is_asked(asked))
        return f->no_color && *f->no_color ? CS_TIER_MONO : own;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(asked, table[i].word) == 0)
            want = table[i].tier;
    return want > own && !f->iso ? own : want;
}

cs_glyphs cs_glyphs_choose(const cs_terminal_facts *f, const char *asked)
{
    const char *word = is_asked(asked) ? asked : f->glyphs;
    if (word && strcmp(word, "ascii") == 0)
        return CS_ASCII;
    if (is_asked(asked))
        return strcmp(asked, "block") == 0 ? CS_BLOCK : CS_BRAILLE;
    if (!f->utf8)
        return CS_ASCII;
    bool console = f->term && strcmp(f->term, "linux") == 0;
    return console || (word && strcmp(word, "block") == 0) ? CS_BLOCK
                                                           : CS_BRAILLE;
}
