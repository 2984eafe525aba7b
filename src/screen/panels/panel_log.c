/* What was said: events of the run, commands and their answers. */
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
    .help = "What was said, the newest at the bottom: events of the run (what "
            "the script prints, parameters that were changed, chains that "
            "failed), commands that were typed and what they answered. Page "
            "keys scroll.",
    .width = 24,
    .height = 2,
    .weight = 1.0,
    .tall = 0.5,
    .draw = draw,
};
