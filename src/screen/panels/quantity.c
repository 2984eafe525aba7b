#include "screen/panels/quantity.h"

#include <stdio.h>
#include <string.h>

static size_t names_there(const cs_shot *s)
{
    char word[64];
    size_t n = 0;
    const char *list = cs_shot_text(s, "coordinates");
    while (cs_shot_word(list, n, word, sizeof word))
        n++;
    return n;
}

/* Writes the name of quantity i: quantity 0 is the energy, and the
 * coordinates follow. */
static void name_of(const cs_shot *s, size_t i, char *name, size_t size)
{
    if (i == 0)
        snprintf(name, size, "energy");
    else if (!cs_shot_word(cs_shot_text(s, "coordinates"), i - 1, name, size))
        snprintf(name, size, "x.%zu", i);
}

/* Returns the index of a name among n names, or n if it is not found. */
static size_t number_of(const cs_shot *s, const char *name, size_t length,
                        size_t n)
{
    char other[64];
    for (size_t i = 0; i < n; i++) {
        name_of(s, i, other, sizeof other);
        if (strlen(other) == length && strncmp(name, other, length) == 0)
            return i;
    }
    return n;
}

bool cs_quantity_is(const cs_shot *s, const char *name, size_t *coordinate)
{
    size_t n = 1 + names_there(s), i = number_of(s, name, strlen(name), n);
    if (i == 0 || i == n)
        return false;
    *coordinate = i - 1;
    return true;
}

void cs_quantity_name(const cs_shot *s, const cs_selection *at, char *name,
                      size_t size)
{
    size_t n = 1 + names_there(s), first = 1 + at->coordinate;
    if (at->of && *at->of) {
        size_t reported = number_of(s, at->of, strlen(at->of), n);
        /* the quantity is not one of the named coordinates */
        if (reported == n && at->option == 0) {
            snprintf(name, size, "%.63s", at->of);
            return;
        }
        first = reported < n ? reported : 1;
    }
    name_of(s, first < n ? (first + at->option) % n : first, name, size);
}

/* Adds a name to a list unless the list already contains it. */
static bool add(char *names, size_t size, const char *name)
{
    size_t used = strlen(names), n = strlen(name);
    for (const char *at = names; *at; at += *at == ',') {
        size_t length = strcspn(at, ",");
        if (length == n && strncmp(at, name, n) == 0)
            return false;
        at += length;
    }
    if (used + n + 2 > size)
        return false;
    snprintf(names + used, size - used, "%s%s", used ? "," : "", name);
    return true;
}

size_t cs_quantity_names(const cs_shot *s, const cs_selection *at, size_t most,
                         char *names, size_t size)
{
    size_t n = names_there(s), count = 0;
    char name[64];
    *names = 0;
    for (const char *of = at->of ? at->of : ""; *of && count < most;) {
        size_t length = strcspn(of, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, of);
        count += add(names, size, name);
        of += length + (of[length] == ',');
    }
    for (size_t i = 0; i < n && count < most; i++) {
        size_t k = (at->coordinate + at->option + i) % n;
        name_of(s, 1 + k, name, sizeof name);
        count += add(names, size, name);
    }
    return count;
}

void cs_quantity_ask(const cs_shot *s, const cs_selection *at, char *word,
                     size_t size)
{
    char name[64];
    cs_quantity_name(s, at, name, sizeof name);
    snprintf(word, size, "%s=%s", at->panel, name);
}

size_t cs_quantity_there(const cs_shot *s, size_t arm, const char *word)
{
    enum { MOST = 64 };
    for (size_t k = 0; k < MOST; k++) {
        const char *what = cs_shot_text(s, "arm/%zu/draws/%zu/what", arm, k);
        if (!*what)
            break;
        if (strcmp(what, word) == 0)
            return k;
    }
    return CS_QUANTITY_NONE;
}

size_t cs_quantity_find(const cs_area *a, const cs_shot *s, size_t arm,
                        const char *word)
{
    size_t k = cs_quantity_there(s, arm, word);
    if (k == CS_QUANTITY_NONE) {
        bool kept = cs_shot_number(s, -1, "arm/%zu/diagnostics/n", arm) >= 0;
        cs_panel_empty(a, s,
                       kept ? "This result is still being computed."
                            : "This run keeps no draws for diagnostics.",
                       kept ? "Background reports run one after the other."
                            : "Add the probe \"diagnostics\" to the scenario.");
        return k;
    }
    const char *why = cs_shot_text(s, "arm/%zu/draws/%zu/why", arm, k);
    if (!*why)
        why = cs_shot_text(s, "arm/%zu/draws/%zu/undefined", arm, k);
    if (!*why)
        return k;
    char text[160];
    snprintf(text, sizeof text, "Nothing to show: %.120s.", why);
    cs_panel_empty(a, s, text, "Press o for another quantity, or run longer.");
    return CS_QUANTITY_NONE;
}

const char *cs_quantity_axis(const cs_shot *s, size_t arm, const char *name)
{
    return strcmp(name, "energy") == 0
               ? cs_panel_energy_name(s, arm, "diagnostics")
               : name;
}

int cs_quantity_count(const cs_area *a, int x, int y, const cs_shot *s,
                      size_t arm)
{
    double n = cs_shot_number(s, 0, "arm/%zu/draws/n", arm);
    double every = cs_shot_number(s, 1, "arm/%zu/draws/every", arm);
    char each[48] = "";
    if (every > 1)
        snprintf(each, sizeof each, ", one in %s steps", cs_count(every).text);
    int end = cs_print_fit(a, x, y, a->w - x, CS_ROLE_FAINT,
                           "%s draws of each chain%s", cs_count(n).text, each);
    return end > x ? end
                   : cs_print_fit(a, x, y, a->w - x, CS_ROLE_FAINT, "%s draws",
                                  cs_num(n).text);
}

size_t cs_quantity_chain(const cs_shot *s, size_t arm, size_t k)
{
    size_t rows, cols;
    const double *number =
        cs_shot_array(s, &rows, &cols, "arm/%zu/draws/chains", arm);
    bool known = number && k < rows * cols && number[k] >= 1 && number[k] < 1e9;
    return known ? (size_t)number[k] - 1 : k;
}
