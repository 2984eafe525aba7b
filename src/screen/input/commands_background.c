/* What is typed that makes runs in the background. */
#include "screen/input/commands_parts.h"

#include "screen/canvas/plot.h"
#include "screen/state/calibrations.h"
#include "screen/state/replicates.h"
#include "session/commands/command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 0 ends them; alone: five. */
void cs_typed_replicate(cs_ui *ui, const cs_shot *s, const char *rest)
{
    cs_error err = {0};
    uint64_t n = 5;
    char said[CS_LOG_WIDTH] = "the replicates are dropped";
    cs_status status = *rest ? cs_command_count(rest, &n, &err) : CS_OK;
    if (status == CS_OK && !ui->jobs.replicates)
        status = cs_fail(&err, CS_UNSUPPORTED, "there can be no replicates");
    if (status == CS_OK && n == 0)
        cs_replicates_stop(ui->jobs.replicates);
    else if (status == CS_OK)
        status = cs_replicates_start(ui->jobs.replicates, s, n, &err);
    double steps = status == CS_OK && n
                       ? cs_replicates_made(ui->jobs.replicates)->steps
                       : (double)NAN;
    if (n)
        snprintf(said, sizeof said,
                 "%llu replicate%s, %s%s each, in the background: X shows the "
                 "race, :replicate 0 ends them",
                 (unsigned long long)n, n == 1 ? "" : "s",
                 isfinite(steps) ? cs_count(steps).text : "the budget",
                 isfinite(steps) ? " steps" : "");
    cs_typed_say(ui, status, &err, said);
}

/* And shows its panel, where there is room for one more. */
void cs_typed_sweep(cs_ui *ui, const cs_shot *s, const char *rest)
{
    cs_error err = {0};
    char said[CS_LOG_WIDTH] = "the sweep is dropped";
    cs_status status = CS_OK;
    if (!ui->jobs.sweep)
        status = cs_fail(&err, CS_UNSUPPORTED, "there can be no sweep");
    else if (!*rest)
        status = cs_fail(&err, CS_INPUT,
                         "sweep over what? :sweep small.step=0.1..2:log:8");
    else if (strcmp(rest, "0") == 0)
        cs_replicates_stop(ui->jobs.sweep);
    else
        status = cs_replicates_sweep(ui->jobs.sweep, s, rest, &err);
    if (status == CS_OK && strcmp(rest, "0") != 0) {
        snprintf(
            said, sizeof said,
            "%zu run%s over %s, in the background: panel sweep shows them, "
            ":sweep 0 ends it",
            cs_replicates_made(ui->jobs.sweep)->of,
            cs_replicates_made(ui->jobs.sweep)->of == 1 ? "" : "s",
            cs_replicates_made(ui->jobs.sweep)->over);
        cs_ui_show(ui, cs_panel_find("sweep"));
    }
    cs_typed_say(ui, status, &err, said);
}

/* And shows its panel. */
void cs_typed_calibrate(cs_ui *ui, const cs_shot *s, const char *rest)
{
    cs_error err = {0};
    uint64_t n = 100;
    char said[CS_LOG_WIDTH] = "the calibration is dropped";
    cs_status status = *rest ? cs_command_count(rest, &n, &err) : CS_OK;
    if (status == CS_OK && !ui->jobs.calibrations)
        status = cs_fail(&err, CS_UNSUPPORTED, "there can be no calibration");
    if (status == CS_OK)
        status = cs_calibrations_start(ui->jobs.calibrations, s, n, &err);
    if (status == CS_OK && n) {
        snprintf(said, sizeof said,
                 "%llu data sets, in the background: panel calibration shows "
                 "their ranks, :sbc 0 ends it",
                 (unsigned long long)n);
        cs_ui_show(ui, cs_panel_find("calibration"));
    }
    cs_typed_say(ui, status, &err, said);
}
