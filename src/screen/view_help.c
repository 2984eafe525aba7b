/* The help page: the focused panel, the keys of the view it covers, commands,
 * the other panels, what the signs mean. Made from the tables themselves. */
#include "screen/commands.h"
#include "session/command.h"

#include <stdio.h>
#include <string.h>

/* Lines come one after another; those in view are drawn. */
typedef struct page {
    const cs_area *area;
    size_t top, line;
    int left; /* columns of the names */
} page;

static int row_of(const page *p)
{
    size_t at = p->line - p->top;
    return p->line >= p->top && at < (size_t)p->area->h ? (int)at : -1;
}

static void heading(page *p, const char *format, const char *text)
{
    p->line += p->line > 0;
    int y = row_of(p);
    if (y >= 0) {
        int x = cs_print(p->area, 1, y, CS_ROLE_FOCUS, "%s", format);
        cs_print_cut(p->area, x, y, p->area->w - x, CS_ROLE_FOCUS, "%s", text);
    }
    p->line++;
}

/* A name and its text, wrapped beside it. */
static void entry(page *p, const char *name, cs_role role, const char *text)
{
    int room = p->area->w - p->left - 1;
    do {
        size_t n = cs_text_line(text, room > 1 ? room : 1);
        int y = row_of(p);
        n = n ? n : strlen(text);
        if (y >= 0) {
            cs_print_cut(p->area, 1, y, p->left - 1, role, "%s", name);
            cs_print(p->area, p->left, y, CS_ROLE_NORMAL, "%.*s", (int)n, text);
        }
        name = "";
        text += n;
        text += strspn(text, " ");
        p->line++;
    } while (*text);
}

static void panel(page *p, const cs_panel_type *type)
{
    entry(p, type->name, CS_ROLE_VALUE, type->help);
    if (type->options)
        entry(p, "", CS_ROLE_KEY, type->options);
}

/* The actions that the view has, or those that it alone lacks. */
static void keys(page *p, unsigned view, bool here)
{
    const cs_action *a;
    for (size_t i = 0; (a = cs_action_at(i)); i++)
        if (((a->views & 1u << view) != 0) == here)
            entry(p, a->label, CS_ROLE_KEY, a->help);
}

static void command(page *p, const char *name, const char *args,
                    const char *help)
{
    char text[300];
    snprintf(text, sizeof text, "%s%s%s", args, *args ? ": " : "", help);
    entry(p, name, CS_ROLE_KEY, text);
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

static void signs(page *p)
{
    static const struct {
        const char *sign, *text;
        cs_role role;
    } table[] = {
        {"o#^dv+x*", "chains and arms, in this order, beside their colours",
         CS_ROLE_CHAIN},
        {"\u25B2 \u25BC \u25CB", "accepted, rejected, accepted but the same",
         CS_ROLE_ACCEPT},
        {"!", "look here: a warning, a chain that failed", CS_ROLE_WARN},
        {"\u2506", "a parameter was changed at this step", CS_ROLE_EVENT},
        {"~", "a schedule drives this parameter", CS_ROLE_EVENT},
        {"\u00B7\u2591\u2592\u2593\u2588", "from little to much",
         CS_ROLE_VALUE},
        {"-", "not known, or not defined yet", CS_ROLE_LABEL},
        {"nats", "the unit of log densities: natural logarithms",
         CS_ROLE_LABEL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        entry(p, table[i].sign, table[i].role, table[i].text);
}

static size_t write_page(const cs_area *a, const cs_ui *ui, size_t top)
{
    page p = {a, top, 0, a->w >= 50 ? 14 : 11};
    const cs_panel_type *focus = ui->panel[ui->focus];
    if (ui->before == CS_VIEW_RUN) {
        heading(&p, "The panel with the focus: ", focus->title);
        panel(&p, focus);
    }
    heading(&p, "Keys", "");
    keys(&p, ui->before, true);
    heading(&p, "Commands, after :", "");
    commands(&p);
    heading(&p, "Panels", "");
    for (size_t i = 0; cs_panel_at(i); i++)
        if (cs_panel_at(i) != focus || ui->before != CS_VIEW_RUN)
            panel(&p, cs_panel_at(i));
    heading(&p, "Signs", "");
    signs(&p);
    heading(&p, "Keys elsewhere", "");
    keys(&p, ui->before, false);
    return p.line;
}

void cs_view_help(const cs_area *a, cs_ui *ui)
{
    char place[64] = "";
    cs_area none = cs_area_part(a, 0, 0, a->w - 2, 0);
    size_t lines = write_page(&none, ui, 0);
    size_t room = a->h > 2 ? (size_t)a->h - 2 : 1;
    size_t most = lines > room ? lines - room : 0;
    ui->row = ui->row < most ? ui->row : most;
    size_t last = ui->row + room < lines ? ui->row + room : lines;
    snprintf(place, sizeof place, "%zu-%zu of %zu, up down, q closes",
             ui->row + 1, last, lines);
    cs_area in = cs_box(a, CS_ROLE_FOCUS, "help", place);
    write_page(&in, ui, ui->row);
}
