#include "screen/panel.h"

#include <string.h>

#define CS_PANEL(name, file) extern const cs_panel_type cs_panel_##name;
#include "screen/panels.def"
#undef CS_PANEL

static const cs_panel_type *const table[] = {
#define CS_PANEL(name, file) &cs_panel_##name,
#include "screen/panels.def"
#undef CS_PANEL
};

const cs_panel_type *cs_panel_at(size_t i)
{
    return i < sizeof table / sizeof *table ? table[i] : NULL;
}

const cs_panel_type *cs_panel_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

void cs_panel_empty(const cs_area *a, const cs_shot *s, const char *what,
                    const char *mend)
{
    bool begun = cs_shot_number(s, 0, "run/steps") > 0;
    int y = a->h / 3;
    y += cs_print_wrapped(a, 1, y, CS_ROLE_LABEL,
                          begun ? what : "Nothing yet: no step was made.");
    cs_print_wrapped(a, 1, y, CS_ROLE_FAINT,
                     begun ? mend : "Space runs, . makes one step.");
}

void cs_panel_arms(const cs_area *a, const cs_shot *s, const cs_look_at *at,
                   int least_width,
                   void (*draw)(const cs_area *, const cs_shot *,
                                const cs_look_at *, size_t))
{
    size_t arms = cs_shot_arms(s), first = at->arm, shown = 1;
    size_t room = (size_t)((a->w + 1) / (least_width + 1));
    if (at->every_arm && arms > 1 && room > 1) {
        shown = arms < room ? arms : room;
        first = at->arm + shown > arms ? arms - shown : at->arm;
    }
    for (size_t i = 0; i < shown; i++) {
        int x = (int)(i * (size_t)(a->w + 1) / shown);
        int end = (int)((i + 1) * (size_t)(a->w + 1) / shown) - 1;
        cs_area part = cs_area_part(a, x, 0, end - x, a->h);
        if (arms > 1 && part.h > 3) {
            cs_print(&part, 0, 0, cs_theme_chain(first + i), "%c %s",
                     cs_theme_glyph(first + i), cs_shot_arm(s, first + i));
            part = cs_area_part(&part, 0, 1, part.w, part.h - 1);
        }
        draw(&part, s, at, first + i);
    }
}

int cs_panel_legend(const cs_area *a, int x, int y, size_t chains)
{
    for (size_t c = 0; c < chains && c < CS_CHAIN_ROLES; c++)
        x = cs_print(a, x, y, cs_theme_chain(c), "%zu%c ", c + 1,
                     cs_theme_glyph(c));
    return x;
}
