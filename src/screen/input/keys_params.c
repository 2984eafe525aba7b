/* Keys that change parameters, and the computation of new values. */
#include "screen/input/key_acts.h"

#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns the parameter's value changed by one step: a tenth of a decade on a
 * log scale, otherwise 1/50 of the range. */
static double nudge_real(const cs_row_param *p, bool up)
{
    double way = up ? 1 : -1, v = p->value;
    bool bounded = isfinite(p->min) && isfinite(p->max);
    if ((unsigned)p->flags & CS_PARAM_LOG && v > 0)
        return v * pow(10, way / 10);
    return v +
           way * (bounded ? (p->max - p->min) / 50 : fmax(fabs(v) / 10, 1e-3));
}

/* Returns the parameter's value changed by one step. Integers change by at
 * least 1; choices change cyclically. */
static double nudge(const cs_row_param *p, bool up)
{
    double way = up ? 1 : -1, v = p->value, n = p->max - p->min + 1;
    if (p->kind == CS_PARAM_CHOICE || p->kind == CS_PARAM_BOOL)
        return p->min + fmod(v - p->min + way + n, n);
    if (p->kind == CS_PARAM_REAL)
        v = nudge_real(p, up);
    else if ((unsigned)p->flags & CS_PARAM_LOG)
        v = way * fmax(way * round(nudge_real(p, up)), way * v + 1);
    else
        v += way;
    return fmax(p->min, fmin(p->max, v));
}

/* Formats a value with six digits, within the bounds. */
static void nudged(const cs_shot *s, size_t arm, size_t k, double value,
                   char *text, size_t size)
{
    const cs_row_param *p = cs_shot_param(s, arm, k);
    cs_shot_value(s, arm, k, value, text, size);
    double read = strtod(text, NULL);
    if (p->kind == CS_PARAM_REAL && (read < p->min || read > p->max)) {
        char exact[CS_DECIMAL];
        size_t n = cs_decimal_put(value, exact);
        snprintf(text, size, "%.*s", (int)n, exact);
    }
}

void cs_set_param(const cs_key_press *p, size_t k, double to)
{
    char value[40];
    size_t arm = p->ui->look.arm;
    if (!cs_shot_param(p->shot, arm, k) || !isfinite(to))
        return;
    nudged(p->shot, arm, k, to, value, sizeof value);
    cs_say(p, "set %s.%s %s", cs_shot_arm(p->shot, arm),
           cs_shot_text(p->shot, "arm/%zu/param/%zu/name", arm, k), value);
}

void cs_key_nudge(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    size_t k = cs_ui_param(ui, p->shot, 0);
    const cs_row_param *row = cs_shot_param(p->shot, ui->look.arm, k);
    bool seen = ui->params || p->typed;
    ui->params = true;
    if (row && seen)
        cs_set_param(p, k, nudge(row, p->key == CS_KEY_RIGHT));
}

void cs_key_params(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    ui->params = !ui->params;
}

/* Chooses a parameter if the parameters are visible, otherwise an arm. */
void cs_key_pick_param(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    if (!ui->params && !p->typed) {
        cs_choose_arm(p, cs_turn(ui->look.arm, cs_shot_arms(p->shot),
                                 p->key == CS_KEY_DOWN));
        return;
    }
    size_t k = cs_ui_param(ui, p->shot, p->key == CS_KEY_DOWN ? 1 : -1);
    ui->params = true;
    ui->param = k == CS_NO_PARAM ? 0 : k;
}
