/* Keys that switch views, open a scenario, restart and quit. */
#include "screen/input/key_acts.h"

#include "session/client/shell_words.h"

#include <stdio.h>

/* Returns true if the user has confirmed that the run is to be discarded. A
 * key must be pressed twice; a typed command needs no confirmation. */
static bool is_meant(const cs_key_press *p, const char *does)
{
    cs_ui *ui = p->ui;
    const cs_shot *s = p->shot;
    unsigned key = p->key;
    double steps = cs_shot_number(s, 0, "run/steps");
    if (!(steps > 0) || ui->lost || p->typed || ui->again == key)
        return true;
    ui->asked = key;
    char name[8] = {(char)key};
    snprintf(ui->ask, sizeof ui->ask,
             "%s again %s: the run at step %s would be lost%s",
             key == '\r' ? "enter" : name, does, cs_count(steps).text,
             *cs_shot_text(s, "run/folder") ? "; its draws are saved" : "");
    return false;
}

void cs_key_restart(const cs_key_press *p)
{
    if (is_meant(p, p->key == 'R' ? "starts with another seed" : "restarts"))
        cs_say(p, p->key == 'R' ? "seed" : "restart");
}

void cs_key_help(const cs_key_press *p)
{
    cs_ui_cover(p->ui, CS_VIEW_HELP);
}

void cs_key_events(const cs_key_press *p)
{
    cs_ui_cover(p->ui, CS_VIEW_EVENTS);
}

void cs_key_open_event(const cs_key_press *p)
{
    double step;
    size_t arm;
    if (!cs_events_chosen(p->ui, p->shot, &step, &arm))
        return;
    p->ui->view = CS_VIEW_RUN;
    cs_choose_arm(p, arm);
    cs_say(p, "rewind to %.0f", step);
}

void cs_key_messages(const cs_key_press *p)
{
    cs_ui_cover(p->ui, CS_VIEW_LOG);
}

void cs_key_gallery(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    cs_say(p, "gallery 0 12 recent");
    ui->view = CS_VIEW_GALLERY;
    ui->row = 0;
    ui->gallery.at_back = true; /* takes effect only if a run is open */
    *ui->gallery.filter = 0;
}

void cs_key_move(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    bool page = p->key == CS_KEY_PAGE_UP || p->key == CS_KEY_PAGE_DOWN;
    bool up = p->key == CS_KEY_UP || p->key == CS_KEY_PAGE_UP || p->key == 'k';
    size_t by = page ? 10 : 1;
    if (ui->view == CS_VIEW_GALLERY) {
        cs_gallery_move(ui, up ? -(long)by : (long)by);
        return;
    }
    if (ui->view == CS_VIEW_LOG) /* the position is counted from the end */
        up = !up;
    ui->row = up ? ui->row < by ? 0 : ui->row - by : ui->row + by;
}

void cs_key_open_row(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    const char *file = cs_gallery_file(ui);
    char quoted[1000];
    if (cs_gallery_is_back(ui))
        ui->view = CS_VIEW_RUN;
    if (!*file || !is_meant(p, "opens it"))
        return;
    if (cs_words_quote(file, quoted, sizeof quoted))
        cs_say(p, "open %s", quoted);
}

void cs_key_leave(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    bool saved = *cs_shot_text(p->shot, "run/folder") != 0;
    ui->quit = saved || is_meant(p, "quits");
}

void cs_key_theme(const cs_key_press *p)
{
    p->ui->theme = cs_theme_next(p->ui->theme);
}

void cs_key_close_view(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    if (ui->view == CS_VIEW_HELP && *ui->sought)
        *ui->sought = 0;
    else if (ui->view == CS_VIEW_HELP || ui->view == CS_VIEW_LOG ||
             ui->view == CS_VIEW_EVENTS)
        ui->view = ui->before;
    else if (ui->view == CS_VIEW_RUN && ui->slots.zoom)
        cs_key_leave_zoom(ui);
    else if (ui->view == CS_VIEW_RUN && ui->params)
        ui->params = false;
    else if (ui->view == CS_VIEW_RUN && p->key == 'q')
        cs_key_gallery(p);
    else if (ui->view == CS_VIEW_GALLERY && *ui->gallery.filter)
        *ui->gallery.filter = 0;
    else if (ui->view == CS_VIEW_GALLERY && p->key != 'q' && *ui->gallery.back)
        ui->view = CS_VIEW_RUN;
    else if (ui->view == CS_VIEW_GALLERY && p->key == 'q')
        cs_key_leave(p);
}

/* Runs the chosen line of the help: presses a key; runs a command, or starts
 * typing it if it takes arguments; or shows a panel. */
void cs_key_run_line(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    const cs_help_line line = cs_help_chosen(ui);
    const cs_action *action = line.action;
    ui->view = action || line.command ? ui->before : ui->view;
    if (action && action->keys[0]) {
        cs_act(p, action, 0);
    } else if (line.panel) {
        cs_ui_show(ui, line.panel);
    } else if (line.has_args) {
        cs_begin_line(ui, ':', "%.60s ", line.command);
    } else if (line.command) {
        cs_obey(p, line.command);
    }
}
