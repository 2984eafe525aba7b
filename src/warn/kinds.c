/* The table of all warnings, causes before effects: an earlier warning is
 * printed first and may hide later ones. */
#include "warn/kinds.h"

#include <string.h>

#define NOTE CS_SEVERITY_NOTE
#define WARNING CS_SEVERITY_WARNING
#define WRONG CS_SEVERITY_WRONG

/* Warnings about too few draws; the remedy of each is a longer run. */
#define TOO_FEW "draws_few tails_few rhat_vague worth_few"

static const char longer_or_other[] = "; run longer or change the kernel";

/* Each row gives the name and the severity, then other members by name. */
static const cs_warning table[] = {
    /* A law found by :check is broken, so the kernel is wrong. */
    {"check", WRONG, .verdict = CS_VERDICT_WRONG, .find = cs_warn_check,
     .lesson = "start/09_plain_and_fast"},
    /* The target is faulty. */
    {"random", WRONG, .verdict = CS_VERDICT_WRONG, .find = cs_warn_random,
     .explains = true},
    {"slope", WRONG, .verdict = CS_VERDICT_WRONG, .find = cs_warn_slope,
     .hides = TOO_FEW " deep divergent step_large step_small metric",
     .explains = true},
    {"improper", WRONG, .verdict = CS_VERDICT_WRONG, .find = cs_warn_improper,
     .hides =
         TOO_FEW " deep divergent step_large step_small heavy drift metric",
     .explains = true},
    {"edge", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED, .find = cs_warn_edge,
     .hides = TOO_FEW " divergent step_small", .explains = true},
    /* The run was incomplete, or produced no usable draws. */
    {"stopped", WRONG, .verdict = CS_VERDICT_WRONG, .find = cs_warn_stopped,
     .explains = true},
    {"damaged", WRONG, .verdict = CS_VERDICT_WRONG, .find = cs_warn_damaged},
    {"not_finite", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_not_finite},
    {"broken_off", NOTE, .find = cs_warn_broken_off},
    {"warming", WARNING, .verdict = CS_VERDICT_WARM_UP,
     .find = cs_warn_warming},
    {"all_learning", WARNING, .verdict = CS_VERDICT_WARM_UP,
     .find = cs_warn_all_learning, .lesson = "start/01_first_walk"},
    {"weightless", WRONG, .verdict = CS_VERDICT_WRONG,
     .find = cs_warn_weightless},
    {"failed", WRONG, .verdict = CS_VERDICT_WRONG,
     .draws = cs_warn_draws_failed},
    {"no_draws", WARNING, .verdict = CS_VERDICT_FEW,
     .draws = cs_warn_draws_none},
    {"infinite", WRONG, .verdict = CS_VERDICT_WRONG,
     .draws = cs_warn_draws_infinite},
    /* Known exact values show that the draws are wrong. */
    {"modes_missed", WRONG, .verdict = CS_VERDICT_MODES,
     .find = cs_warn_modes_missed, .explains = true,
     .lesson = "start/08_tempering"},
    {"modes_short", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_modes_short, .explains = true,
     .lesson = "start/08_tempering"},
    {"modes_apart", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_modes_apart, .explains = true,
     .lesson = "start/08_tempering"},
    {"off", WRONG, .verdict = CS_VERDICT_WRONG, .find = cs_warn_off},
    {"differs", WRONG, .verdict = CS_VERDICT_WRONG, .find = cs_warn_differs},
    {"left_out", WARNING, .find = cs_warn_left_out},
    /* Two arms disagree, and it is not known which of them is wrong. */
    {"arms_disagree", WARNING, .verdict = CS_VERDICT_APART,
     .find = cs_warn_arms_disagree},
    /* The kernel moves badly. */
    {"box", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED, .find = cs_warn_box,
     .explains = true},
    {"metric", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_metric, .hides = TOO_FEW " deep", .explains = true},
    {"resonance", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_resonance, .hides = TOO_FEW " step_small",
     .explains = true},
    {"divergent", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_divergent, .explains = true, .lesson = "start/05_funnel"},
    {"adapting", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_adapting, .hides = TOO_FEW " step_large step_small",
     .explains = true, .lesson = "start/01_first_walk"},
    {"step_large", WARNING, .verdict = CS_VERDICT_LARGE_STEP,
     .find = cs_warn_step_large, .hides = TOO_FEW, .explains = true,
     .lesson = "start/02_step_size"},
    {"step_small", WARNING, .verdict = CS_VERDICT_SMALL_STEP,
     .find = cs_warn_step_small, .hides = TOO_FEW, .explains = true,
     .lesson = "start/02_step_size"},
    {"accepts_nothing", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_stuck, .explains = true},
    {"ladder_gap", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_ladder_gap, .explains = true,
     .lesson = "start/08_tempering"},
    {"ladder_idle", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_ladder_idle, .lesson = "start/08_tempering"},
    {"heavy", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .draws = cs_warn_draws_heavy},
    {"energy", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .find = cs_warn_energy, .lesson = "start/05_funnel"},
    /* The method has a bias, or its estimates are inaccurate. */
    {"partial", WARNING, .verdict = CS_VERDICT_BIASED, .find = cs_warn_partial},
    {"learning", WARNING, .verdict = CS_VERDICT_BIASED,
     .find = cs_warn_learning, .lesson = "csgld/learning"},
    {"few_walkers", WARNING, .verdict = CS_VERDICT_FEW,
     .find = cs_warn_few_walkers},
    /* The draws show an error. */
    {"undefined", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .draws = cs_warn_draws_undefined},
    {"stuck", WRONG, .verdict = CS_VERDICT_WRONG, .draws = cs_warn_draws_stuck},
    {"end", WARNING, .verdict = CS_VERDICT_BIASED, .draws = cs_warn_draws_end},
    {"labels", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .draws = cs_warn_draws_labels, .hides = "rhat draws_few", .explains = true,
     .lesson = "targets/labels"},
    {"constant_apart", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .draws = cs_warn_draws_constant_apart,
     .hides = "undefined sites_apart sites_differ rhat",
     .remedy = longer_or_other},
    {"sites_apart", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .draws = cs_warn_draws_sites_apart, .lesson = "start/08_tempering"},
    {"sites_differ", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .draws = cs_warn_draws_sites_differ, .lesson = "start/01_first_walk"},
    {"drift", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .draws = cs_warn_draws_drift, .explains = true},
    {"rhat", WARNING, .verdict = CS_VERDICT_NOT_CONVERGED,
     .draws = cs_warn_draws_rhat, .remedy = longer_or_other,
     .lesson = "start/03_gradients"},
    {"weights_uneven", WARNING, .verdict = CS_VERDICT_FEW,
     .draws = cs_warn_draws_weights},
    {"rhat_vague", NOTE, .verdict = CS_VERDICT_FEW,
     .draws = cs_warn_draws_rhat_vague, .lesson = "start/01_first_walk"},
    {"constant_rare", NOTE, .verdict = CS_VERDICT_FEW,
     .draws = cs_warn_draws_constant_rare},
    {"draws_few", WARNING, .verdict = CS_VERDICT_FEW,
     .draws = cs_warn_draws_bulk, .lesson = "start/01_first_walk"},
    {"tails_few", WARNING, .verdict = CS_VERDICT_FEW,
     .draws = cs_warn_draws_tail, .lesson = "start/01_first_walk"},
    {"worth_few", WARNING, .verdict = CS_VERDICT_FEW,
     .draws = cs_warn_draws_ess, .lesson = "start/01_first_walk"},
    /* Notes on the method or the design of the run. */
    {"weighted", NOTE, .draws = cs_warn_draws_weighted},
    {"bias", NOTE, .verdict = CS_VERDICT_BIASED, .find = cs_warn_bias,
     .lesson = "csgld/bias"},
    {"biased_apart", NOTE, .verdict = CS_VERDICT_BIASED,
     .find = cs_warn_biased},
    {"heat", NOTE, .verdict = CS_VERDICT_BIASED, .find = cs_warn_heat},
    {"ensemble", NOTE, .find = cs_warn_ensemble, .lesson = "hmc/many_ways"},
    {"deep", NOTE, .find = cs_warn_deep, .lesson = "hmc/raw_columns"},
    {"loose_bounds", NOTE, .find = cs_warn_loose_bounds},
    {"unchecked", NOTE, .find = cs_warn_unchecked},
    {"constant", NOTE, .draws = cs_warn_draws_constant},
    {"ess_capped", NOTE, .draws = cs_warn_draws_capped},
    {"cut", NOTE, .find = cs_warn_cut},
    {"unequal", NOTE, .find = cs_warn_unequal},
    {"one_chain", NOTE, .find = cs_warn_one_chain},
    {"one_place", NOTE, .find = cs_warn_one_place,
     .lesson = "start/08_tempering"},
};
enum { KINDS = sizeof table / sizeof *table };
_Static_assert((int)KINDS <= (int)CS_WARNING_KINDS,
               "more kinds than CS_WARNING_KINDS");

const cs_warning *cs_warning_at(size_t i)
{
    return i < KINDS ? &table[i] : NULL;
}

static const char *const verdict_names[][2] = {
    [CS_VERDICT_GOOD] = {"good", "good"},
    [CS_VERDICT_WARM_UP] = {"warm-up", "in its warm-up"},
    [CS_VERDICT_FEW] = {"too few draws", "too few draws"},
    [CS_VERDICT_BIASED] = {"biased", "biased by design"},
    [CS_VERDICT_MODES] = {"missed modes", "missed modes"},
    [CS_VERDICT_NOT_CONVERGED] = {"not converged", "not converged"},
    [CS_VERDICT_APART] = {"arms disagree", "arms disagree"},
    [CS_VERDICT_SMALL_STEP] = {"small step", "not converged: small step"},
    [CS_VERDICT_LARGE_STEP] = {"large step", "not converged: large step"},
    [CS_VERDICT_WRONG] = {"wrong", "wrong"}};

const char *cs_verdict_name(cs_arm_verdict v, bool whole)
{
    return verdict_names[v][whole];
}

const cs_warning *cs_warning_find(const char *name, size_t length)
{
    for (size_t i = 0; i < KINDS; i++)
        if (strlen(table[i].name) == length &&
            strncmp(table[i].name, name, length) == 0)
            return &table[i];
    return NULL;
}
