/* Keys that start a line to be completed by the user: a command, a value or a
 * name. */
#include "screen/input/key_acts.h"

#include "screen/canvas/frame_files.h"

#include <stdarg.h>
#include <stdio.h>

void cs_begin_line(cs_ui *ui, char mark, const char *format, ...)
{
    va_list args;
    ui->prompt.mark = mark;
    va_start(args, format);
    vsnprintf(ui->prompt.begin, sizeof ui->prompt.begin, format, args);
    va_end(args);
}

void cs_key_prompt(const cs_key_press *p)
{
    size_t size;
    char mark = p->key == ';' || p->key == '/' ? (char)p->key : ':';
    cs_begin_line(p->ui, mark, "%s",
                  mark == '/' ? cs_ui_filter(p->ui, &size) : "");
}

bool cs_key_type_ahead(cs_ui *ui, unsigned key)
{
    if (ui->view != CS_VIEW_HELP || key <= ' ' || key >= 127)
        return false;
    cs_begin_line(ui, '/', "%.100s%c", ui->sought, (char)key);
    return true;
}

void cs_key_value(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    size_t arm = ui->look.arm;
    if (p->key == '\r' && !ui->params)
        return; /* no parameter is visible to be chosen */
    const char *name = cs_shot_text(p->shot, "arm/%zu/param/%zu/name", arm,
                                    cs_ui_param(ui, p->shot, 0));
    if (*name)
        cs_begin_line(ui, ':', "set %.60s.%.50s ", cs_shot_arm(p->shot, arm),
                      name);
}

/* Finds an unused file name. */
static void name_of(const cs_key_press *p, const char *ending, char name[96])
{
    cs_screenshot_name(cs_shot_text(p->shot, "run/file"),
                       cs_shot_number(p->shot, 0, "run/steps"), ending, name,
                       96);
}

void cs_key_screenshot(const cs_key_press *p)
{
    char name[96];
    name_of(p, ".svg", name);
    cs_begin_line(p->ui, ':', "screenshot %s", name);
}

/* Starts immediately with a default name, so that no frames are lost while a
 * name is typed. */
void cs_key_record(const cs_key_press *p)
{
    char name[96] = "", line[128];
    if (!p->ui->recorder)
        name_of(p, ".cast", name);
    snprintf(line, sizeof line, "record %s", name);
    cs_obey(p, line);
}

/* Adds a mark at once, with the next number as its text. */
void cs_key_mark(const cs_key_press *p)
{
    char line[64];
    snprintf(line, sizeof line, "mark %zu", p->ui->marks + 1);
    cs_obey(p, line);
}
