/* Typed commands that start background runs. */
#include "screen/input/commands_parts.h"

#include "screen/state/background.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Starts background runs of a kind, with the typed words as arguments. If the
 * argument is "0", stops the runs of this kind and sets *ended. */
static cs_status ask(cs_ui *ui, const cs_shot *s, cs_background_kind kind,
                     const char *typed, bool *ended, cs_error *err)
{
    *ended = strcmp(typed, "0") == 0;
    if (!*ended && cs_shot_plays(s)) {
        cs_fail(err, CS_UNSUPPORTED,
                "background runs would tell which arm is broken");
        cs_hint(err, "name an arm first");
        return CS_UNSUPPORTED;
    }
    if (!ui->jobs)
        return cs_fail(err, CS_UNSUPPORTED,
                       "background runs are not available here");
    if (!*ended)
        return cs_background_start(ui->jobs, kind, s, typed,
                                   ui->look.coordinate, err);
    cs_background_stop(ui->jobs, kind);
    return CS_OK;
}

void cs_typed_replicate(cs_ui *ui, const cs_shot *s, const char *rest)
{
    bool ended;
    cs_error err = {0};
    char said[CS_LOG_WIDTH] = "replicates stopped and discarded";
    cs_status status =
        ask(ui, s, CS_REPLICATES_RUN, *rest ? rest : "5", &ended, &err);
    if (status == CS_OK && !ended) {
        const cs_replicas *r =
            cs_background_replicas(ui->jobs, CS_REPLICATES_RUN);
        snprintf(said, sizeof said,
                 "%zu replicate%s, %s%s each, in the background: X shows the "
                 "race, :replicate 0 stops",
                 r->of, r->of == 1 ? "" : "s",
                 isfinite(r->steps) ? cs_count(r->steps).text : "the budget",
                 isfinite(r->steps) ? " steps" : "");
    }
    cs_typed_say(ui, status, &err, said);
}

/* Starts a sweep, and shows its panel if the panel fits. */
void cs_typed_sweep(cs_ui *ui, const cs_shot *s, const char *rest)
{
    bool ended = true;
    cs_error err = {0};
    char said[CS_LOG_WIDTH] = "sweep stopped and discarded";
    cs_status status = *rest ? ask(ui, s, CS_SWEEP_RUN, rest, &ended, &err)
                             : cs_fail(&err, CS_INPUT,
                                       "no parameter given: for example :sweep "
                                       "small.step=0.1..2:log:8");
    if (status == CS_OK && !ended) {
        const cs_replicas *r = cs_background_replicas(ui->jobs, CS_SWEEP_RUN);
        snprintf(said, sizeof said,
                 "%zu run%s over %s, in the background: panel sweep shows "
                 "them, :sweep 0 stops",
                 r->of, r->of == 1 ? "" : "s", r->over);
        cs_ui_show(ui, cs_panel_find("sweep"));
    }
    cs_typed_say(ui, status, &err, said);
}

/* Starts a calibration and shows its panel. */
void cs_typed_calibrate(cs_ui *ui, const cs_shot *s, const char *rest)
{
    bool ended;
    cs_error err = {0};
    char said[CS_LOG_WIDTH] = "calibration stopped and discarded";
    cs_status status =
        ask(ui, s, CS_CALIBRATION_RUN, *rest ? rest : "100", &ended, &err);
    if (status == CS_OK && !ended) {
        snprintf(said, sizeof said,
                 "%zu data sets, in the background: panel calibration shows "
                 "their ranks, :sbc 0 stops",
                 cs_background_calibrated(ui->jobs)->of);
        cs_ui_show(ui, cs_panel_find("calibration"));
    }
    cs_typed_say(ui, status, &err, said);
}
