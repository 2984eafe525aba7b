/* The interactive screen: reads keys, sends command lines and displays
 * snapshots. */
#pragma once

#include "screen/state/app_link.h"
#include "screen/state/editor.h"
#include "screen/state/ui.h"

/* Runs the screen until the user quits. `gallery`: start in the gallery.
 * `preferences`: the user's preferences for every run, see
 * screen/state/preferences.h. [borrowed] */
cs_status cs_screen_run(const cs_app_link *link, const cs_editor *editor,
                        bool gallery, const cs_shot *preferences,
                        cs_error *err);
