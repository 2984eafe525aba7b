/* The state of a session. Each part of this state is declared in a separate
 * header. */
#pragma once

#include "session/host/script_host.h"
#include "session/record/record.h"
#include "session/state/branch.h"
#include "session/state/breaks.h"
#include "session/state/check_marks.h"
#include "session/state/energy_line.h"
#include "session/state/front_link.h"
#include "session/state/lesson_lines.h"
#include "session/state/messages.h"
#include "session/state/motion.h"
#include "session/state/own_panel_data.h"
#include "session/state/periods.h"
#include "session/state/set_back.h"
#include "session/state/sets.h"
#include "session/state/showing.h"
#include "session/state/true_logp.h"
#include "session/state/true_ratios.h"

struct cs_session {
    cs_front_link front;
    const cs_host *host;
    cs_opened open;    /* the open run; open.run NULL: no run is open */
    cs_sets sets;      /* settings with which `restart` opens the run */
    bool once;         /* the next files of draws are read in one pass */
    cs_record *record; /* writes draws to files, or NULL [own] */
    cs_motion move;
    cs_showing show;
    /* [own] NULL: no memory for background reports */
    cs_background_reports *reports;
    cs_look_at look; /* the user's selection */
    cs_branched branched;
    cs_periods periods;
    cs_way_back back;
    cs_breaks breaks;
    cs_own_panels own;
    cs_truth truth;
    cs_compared compared;
    cs_checked_run checked;
    cs_line line;
    cs_course course;
    cs_messages reported;
};
