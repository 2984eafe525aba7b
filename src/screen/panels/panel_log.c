/* The log: events of the run, commands and their replies. */
#include "screen/panels/panel.h"

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    if (at->log)
        cs_log_draw(at->log, a, at->scroll);
    else
        cs_panel_empty(a, s, "No messages.", "");
}

const cs_panel_type cs_panel_log = {
    .name = "log",
    .title = "log of messages",
    .help = "Messages, with the newest last: events of the run (output of the "
            "script, changed parameters, failed chains), and typed commands "
            "with their answers. Page up and page down scroll.",
    .text = true,
    .no_arm = true,
    .draw = draw,
};
