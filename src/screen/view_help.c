/* The help page: the columns of the list of arms, the keys of the view that the
 * page covers, the focused panel, commands, the other panels, and the signs.
 * The text comes from the tables of actions, commands and panels. */
#include "screen/canvas/search.h"
#include "screen/input/commands.h"
#include "screen/term/keyboards.h"
#include "session/commands/command.h"

#include <stdio.h>
#include <string.h>

/* A page is written line by line, but only visible lines are drawn. Entries
 * that do not contain all words of the search are left out, and so are
 * headings without entries. */
typedef struct page {
    const cs_area *area;
    const char *words;
    size_t top, line;
    int left;            /* columns for the names */
    const char *head[2]; /* headings to be written before the next entry */
    size_t entries, chosen;
    size_t first, last;   /* lines of the chosen entry */
    cs_help_line line_of; /* effect of the chosen entry */
} page;

static int row_of(const page *p)
{
    size_t at = p->line - p->top;
    return p->line >= p->top && at < (size_t)p->area->h ? (int)at : -1;
}

static void heading(page *p, const char *format, const char *text)
{
    p->head[0] = format;
    p->head[1] = text;
}

static void write_heading(page *p)
{
    if (!p->head[0])
        return;
    p->line += p->line > 0;
    int y = row_of(p);
    if (y >= 0) {
        int x = cs_print(p->area, 1, y, CS_ROLE_FOCUS, "%s", p->head[0]);
        cs_print_cut(p->area, x, y, p->area->w - x, CS_ROLE_FOCUS, "%s",
                     p->head[1]);
    }
    p->head[0] = NULL;
    p->line++;
}

/* Length in bytes of the first line of a text that is wrapped at blanks. */
static size_t line_of(const char *text, int columns)
{
    size_t n = cs_text_line(text, columns > 1 ? columns : 1);
    return n ? n : strlen(text);
}

/* Writes a name, wrapped, with its wrapped text to the right. Each paragraph of
 * the text begins on a new line. */
static void write_entry(page *p, const char *name, cs_role role,
                        const char *text, bool chosen)
{
    do {
        size_t n = line_of(text, p->area->w - p->left - 1);
        size_t k = line_of(name, p->left - 2);
        int y = row_of(p);
        if (strcspn(text, "\n") < n)
            n = strcspn(text, "\n");
        if (y >= 0) {
            cs_print_cut(p->area, 1, y, p->left - 1, role, "%.*s", (int)k,
                         name);
            cs_print(p->area, p->left, y, CS_ROLE_NORMAL, "%.*s", (int)n, text);
        }
        if (y >= 0 && chosen)
            cs_print(p->area, 0, y, CS_ROLE_FOCUS, ">");
        chosen = false;
        name += k;
        name += strspn(name, " ");
        text += n;
        text += strspn(text, " ");
        text += *text == '\n';
        p->line++;
    } while (*text || *name);
}

static void entry(page *p, const char *name, cs_role role, const char *text,
                  const cs_help_line *does)
{
    const char *const where[] = {name, text};
    if (!cs_search(p->words, where, 2))
        return;
    bool chosen = p->entries++ == p->chosen;
    write_heading(p);
    p->first = chosen ? p->line : p->first;
    write_entry(p, name, role, text, chosen);
    p->last = chosen ? p->line : p->last;
    if (chosen && does)
        p->line_of = *does;
}

static void panel(page *p, const cs_panel_type *type)
{
    char text[2400];
    snprintf(text, sizeof text, "%s%s%s", type->help,
             type->options ? "\nKeys: " : "",
             type->options ? type->options : "");
    entry(p, type->name, CS_ROLE_VALUE, text, &(cs_help_line){.panel = type});
}

/* Lists the actions of the current view, or of the other views. */
static void keys(page *p, const cs_ui *ui, bool here)
{
    const cs_action *a;
    unsigned view = ui->before;
    char lines[120], text[400], name[64];
    for (size_t i = 0; (a = cs_action_at(i)); i++) {
        cs_action_lines(a, lines, sizeof lines);
        snprintf(text, sizeof text, *lines ? "%s (%s)" : "%s", a->help, lines);
        cs_action_labels(ui, a, name, sizeof name);
        if (((a->views & 1u << view) != 0) == here)
            entry(p, name, CS_ROLE_KEY, text,
                  &(cs_help_line){.action = here ? a : NULL});
    }
}

static void keyboard(page *p, const cs_keyboard *k)
{
    for (size_t i = 0; i < CS_KEYBOARD_KEYS && k->key[i].name; i++)
        entry(p, k->key[i].name, CS_ROLE_KEY, k->key[i].line,
              &(cs_help_line){.command = k->key[i].line});
}

static void command(page *p, const char *name, const char *args,
                    const char *help)
{
    char text[600];
    snprintf(text, sizeof text, "%s%s%s", args, *args ? ": " : "", help);
    entry(p, name, CS_ROLE_KEY, text,
          &(cs_help_line){.command = name, .has_args = *args != 0});
}

static void commands(page *p)
{
    const cs_ui_command_row *own;
    const cs_command *c;
    for (size_t i = 0; (own = cs_ui_command_at(i)); i++)
        command(p, own->name, own->args, own->help);
    for (size_t i = 0; (c = cs_command_at(i)); i++) {
        bool twice = false;
        for (size_t k = 0; (own = cs_ui_command_at(k)); k++)
            twice |= strcmp(own->name, c->name) == 0;
        if (!twice)
            command(p, c->name, c->args, c->help);
    }
}

/* Explains the columns of the list of arms. */
static void strip(page *p)
{
    static const struct {
        const char *name, *text;
    } table[] = {
        {"arm", "one kernel with its chains; up and down choose the arm whose "
                "panels are shown"},
        {"newest", "the newest energies of chain 1: five means of ten steps"},
        {"ESS/1k ev",
         "effective draws per 1,000 evaluations of the target, with a 95 % "
         "interval on a logarithmic axis that all arms share"},
        {"modes", "known modes that at least one chain has found"},
        {"verdict",
         "wrong: fails a law, or is off the exact distribution; not converged: "
         "the chains do not agree; too few draws: run longer; good: none of "
         "these problems was found"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        entry(p, table[i].name, CS_ROLE_VALUE, table[i].text, NULL);
}

static void signs(page *p)
{
    static const struct {
        const char *sign, *text;
        cs_role role;
    } table[] = {
        {"o#^dv+x*...", "chains and arms, in this order, with their colours",
         CS_ROLE_CHAIN},
        {"\u25B2 \u25BC \u25CB",
         "accepted, rejected, accepted without a change", CS_ROLE_ACCEPT},
        {"\u2506", "a parameter was changed at this step", CS_ROLE_EVENT},
        {"~", "a schedule drives this parameter", CS_ROLE_EVENT},
        {"\u00B7\u2591\u2592\u2593\u2588", "from low to high", CS_ROLE_VALUE},
        {"-", "not known, or not defined yet", CS_ROLE_LABEL},
        {"nats", "the unit of log densities: natural logarithms",
         CS_ROLE_LABEL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        entry(p, table[i].sign, table[i].role, table[i].text, NULL);
}

static page write_page(const cs_area *a, const cs_ui *ui, size_t top)
{
    page p = {.area = a,
              .words = ui->sought,
              .top = top,
              .left = a->w >= 50 ? 14 : 11,
              .chosen = ui->row};
    const cs_panel_type *focus = ui->slots.of[ui->slots.focus].type;
    heading(&p, "The list of arms", "");
    if (ui->before == CS_VIEW_RUN)
        strip(&p);
    heading(&p, "Your keys", "");
    for (size_t i = 0; ui->before == CS_VIEW_RUN && i < ui->prefs.n_bindings;
         i++)
        entry(&p, ui->prefs.binding[i].name, CS_ROLE_KEY,
              ui->prefs.binding[i].line,
              &(cs_help_line){.command = ui->prefs.binding[i].line});
    if (ui->prefs.keyboard && ui->before == CS_VIEW_RUN) {
        heading(&p, "Keys of the keyboard ", ui->prefs.keyboard->name);
        keyboard(&p, ui->prefs.keyboard);
    }
    heading(&p, "Keys", "");
    keys(&p, ui, true);
    if (ui->before == CS_VIEW_RUN) {
        heading(&p, "The focused panel: ", focus->title);
        panel(&p, focus);
    }
    heading(&p, "Commands, after :", "");
    commands(&p);
    heading(&p, "Panels", "");
    for (size_t i = 0; i < ui->own.n; i++)
        if (&ui->own.row[i].type != focus || ui->before != CS_VIEW_RUN)
            panel(&p, &ui->own.row[i].type);
    for (size_t i = 0; cs_panel_at(i); i++)
        if (cs_panel_at(i) != focus || ui->before != CS_VIEW_RUN)
            panel(&p, cs_panel_at(i));
    heading(&p, "Signs", "");
    signs(&p);
    heading(&p, "Keys elsewhere", "");
    keys(&p, ui, false);
    return p;
}

cs_help_line cs_help_chosen(const cs_ui *ui)
{
    cs_canvas canvas = {.width = 80, .height = 0};
    const cs_area none = {&canvas, 0, 0, 80, 0};
    return write_page(&none, ui, 0).line_of;
}

/* Scrolls only as far as needed to show the chosen line and, for the first
 * entry, the heading above it. */
static size_t scrolled(const page *p, size_t top, size_t capacity, size_t row)
{
    size_t most = p->line > capacity ? p->line - capacity : 0;
    if (p->last > top + capacity)
        top = p->last - capacity;
    if (p->first < top)
        top = p->first;
    top = row ? top : 0;
    return top < most ? top : most;
}

void cs_view_help(const cs_area *a, cs_ui *ui)
{
    char place[64];
    cs_area none = cs_area_part(a, 0, 0, a->w - 2, 0);
    page all = write_page(&none, ui, 0);
    if (ui->row >= all.entries) {
        ui->row = all.entries ? all.entries - 1 : 0;
        all = write_page(&none, ui, 0);
    }
    size_t capacity = a->h > 2 ? (size_t)a->h - 2 : 1;
    ui->top = scrolled(&all, ui->top, capacity, ui->row);
    snprintf(place, sizeof place, "/ or letters find, enter runs, q closes");
    cs_area in = cs_box(a, CS_ROLE_FOCUS, *ui->sought ? "help: " : "help",
                        a->w >= 60 ? place : "/ finds, q closes");
    if (*ui->sought)
        cs_print_cut(a, 7, 0, a->w / 3, CS_ROLE_FOCUS, "%s", ui->sought);
    if (!all.entries)
        cs_print(&in, 1, 0, CS_ROLE_LABEL, "No line contains these words.");
    write_page(&in, ui, ui->top);
}
