#include "screen/panels/own_panels.h"

#include <stdio.h>
#include <string.h>

static const char letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

const cs_panel_type *cs_own_find(const cs_own_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->row[i].name, name) == 0)
            return &list->row[i].type;
    return NULL;
}

static size_t number_of(const cs_shot *s, const char *panel)
{
    size_t k = 0;
    while (k < CS_OPENED_OWN &&
           strcmp(cs_shot_text(s, "own/%zu/name", k), panel) != 0)
        k++;
    return k;
}

static void ask(const cs_shot *s, const cs_selection *at, char *out,
                size_t size)
{
    (void)s;
    snprintf(out, size, CS_HOST_PANEL "%s", at->panel);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    size_t k = number_of(s, at->panel);
    const char *unit = cs_shot_text(s, "own/%zu/unit", k);
    const char *keys = cs_shot_text(s, "own/%zu/keys", k);
    if (*keys)
        snprintf(out, size, "%s%skeys %s\n%s", unit, *unit ? "; " : "", keys,
                 unit);
    else
        snprintf(out, size, "%s", unit);
}

bool cs_own_takes(const cs_own_list *list, const cs_shot *s, const char *panel,
                  unsigned key)
{
    bool letter = (key >= 'a' && key <= 'z') || (key >= 'A' && key <= 'Z');
    return letter && cs_own_find(list, panel) &&
           strchr(cs_shot_text(s, "own/%zu/keys", number_of(s, panel)),
                  (int)key);
}

static void fill(cs_own_panel *to, const cs_shot *s, size_t k)
{
    snprintf(to->title, sizeof to->title, "%.90s",
             cs_shot_text(s, "own/%zu/title", k));
    snprintf(to->help, sizeof to->help, "%.390s",
             cs_shot_text(s, "own/%zu/help", k));
    to->type = (cs_panel_type){.name = to->name,
                               .title = to->title,
                               .help = to->help,
                               .no_arm = true,
                               .draw = cs_own_draw,
                               .ask = ask,
                               .caption = caption};
}

void cs_own_read(cs_own_list *list, const cs_shot *s)
{
    const char *name;
    list->n = 0;
    for (size_t k = 0; k < CS_OPENED_OWN; k++) {
        name = cs_shot_text(s, "own/%zu/name", k);
        size_t n = strlen(name);
        cs_own_panel *to = &list->row[list->n];
        if (n == 0 || n >= sizeof to->name || strspn(name, letters) != n ||
            cs_panel_find(name) || cs_own_find(list, name))
            continue;
        memmove(to->name, name, n + 1);
        fill(to, s, k);
        list->n++;
    }
}
