/* What the session shows the front: one cs_flat table, newest wins.
 *
 * The keys, all optional for a reader (a panel without its keys says what is
 * missing). N chains, A arms; "look" is the chain that the user has chosen.
 *
 *   run/state        text   "empty" "paused" "running" "waiting" "done" "failed"
 *                    (waiting: it would run, others have yet to write its draws)
 *   run/watched      text, the folder that its draws are read from while others
 *                    write them, "" = they are made here
 *   run/differs      1: it is of a recording, and run/file has another text by now
 *   run/title, run/shows, run/source, run/file, run/target, run/space   text
 *   run/lesson                                      text, see io/lesson.h
 *   run/sets         text: "name=value" words with which `open` makes the run
 *                    that `restart` would; not there where they are too long
 *   run/opened       another number where `restart` with the same seed could
 *                    make another run: of the file, its text and the sets, the
 *                    seed left out
 *   run/steps run/seed run/dim run/seconds run/rate   numbers; rate in
 *                    chain-steps per second over the last second
 *   run/calling      share of the time since it was started that went to
 *                    functions of the script (run:every, run:at)
 *   run/speed        steps per second asked for, 0 = as fast as it goes
 *   run/settled      0 while exact answers are still being worked out
 *   run/reported     0 while a report is of an earlier step, see age
 *   run/changes      how often something was set that `undo` can set back
 *   run/journal      another number where the journal is another, or the run
 *   run/end          the farthest step there was: beyond run/steps after going
 *                    back
 *   run/oldest       the oldest step that rewind reaches
 *   run/progress     0..1 of the budget, NAN without one and beyond it; run/eta seconds
 *   run/tuned        0..1 of the slowest tuner's steps, 1: none is at work
 *   run/draws_from   the step behind which draws are: that of the end of the longest
 *                    warm-up, or at which the target was changed
 *   run/overfull     1: of the snapshot before, some reports did not fit
 *   run/message      text, the newest event; run/messages how many so far;
 *   run/said/i       text, event number n (from 0) under i = n % CS_SAID
 *   run/said_at      [1][CS_SAID] the step at which it happened
 *   run/folder       text, where draws are being written, "" = nowhere
 *   run/panels       text, the scenario's panels, separated by blanks, each
 *                    with what it shows and which arm first, where that was
 *                    said: "trace=x.1@small map=log_tau,theta.1"
 *   run/arms         A;  run/chains run/failed   chains of all arms; of these
 *                    those that stopped
 *   coordinates      text, names of the first 256, separated by blanks;
 *                    (of the first 64 where the others are only x.65 ...)
 *   target/modes     [modes][dim]
 *   arm/i/name arm/i/kernel arm/i/title   text; arm/i/exact 0 or 1;
 *   arm/i/broken     text: the law that :check has found broken of it, "" = none
 *   arm/i/lesson     text: the scenario that its warnings lead to, FOLDER/NAME
 *   arm/i/held       text: the laws that :check has found to hold of it as it is
 *   arm/i/off        1: its draws are off an exact distribution by more than
 *                    chance; arm/i/tuned share of its warm-up, 1: it is over
 *   arm/i/logp       text: what log p of its draws is, "exact" "estimate" or
 *                    "none"; arm/i/observed_log_densities observed_data_terms
 *                    what was evaluated of it for probes and users, beside
 *                    the numbers below
 *   arm/i/expected_rows   of data, that a step draws in the mean, NAN: it draws
 *                    none, or it is not known; arm/i/loose text, why these are
 *                    too many to help, "" = they are not
 *   arm/i/group      so many chains belong together: most reports are of the
 *                    first of each alone, chain k of them is number k group
 *   arm/i/chains steps warm_up seconds finished failed divergent not_finite
 *         log_densities gradients site_differences data_terms simulations
 *         site_updates evaluations
 *         passes
 *                    numbers (arm/i/steps ...); of the steps those of the
 *                    warm-up, 0 while it lasts; steps that diverged, and that
 *                    met a NaN, of all chains since the warm-up
 *   arm/i/params     how many: behind the kernel's own the fields of schedules
 *                    that drive them ("step.max"), then those of the target; for
 *                    each k of them
 *   arm/i/warnings   text, its warnings (warn/warnings.h), a line each, causes
 *                    first; those of modes and draws where their reports are
 *                    asked for;  arm/i/warned  text, the kind of each line;
 *                    arm/i/severity  the most severe, a cs_severity
 *   arm/i/words      text, those of them that its draws do not show, and
 *                    what :check found
 *   arm/i/param/k    a cs_row_param (session/rows.h)
 *   arm/i/param/k/name  unit  help          text; choices their names
 *   arm/i/list/l/name  text      of the lists of numbers it was given: texts,
 *                    from l = 0
 *   arm/i/schedule/k a cs_row_schedule, where the parameter is driven, and
 *                    under it value [T] over the coming period; of a registered
 *                    one its kind, a text, and values [used] of its rows
 *   arm/i/tuner      text, the name of the arm's tuner, where it has one; then
 *   arm/i/tuner/active part steps target   0 or 1; 0..1 of its steps; its steps
 *                    made; the acceptance it aims at, NAN: none
 *   arm/i/tuner/driven  how many parameters; param/d which is driven d-th;
 *                    phase/p its phases
 *   arm/i/metric     text, of a tuner that learns one: its kind by now;
 *                    arm/i/metric/sd [2] the least and the largest deviation
 *   arm/i/tuner/trials [n] cs_row_trial
 *   look/at          a cs_row_look
 *   look/x look/proposal   [shown]; look/fault text: why it stopped, "" = lives
 *   look/own         text, names of the kernel's auxiliary variables; number k of
 *                    them is look/own/k [rows] and look/own/k/proposal
 *   look/logp        text: what log p of that chain is, as above;
 *                    look/true_logp itself, where a user has asked for it at
 *                    the state where the chain stands
 *   look/noise/gradient   [n][n] of the first coordinates: how far the noise of
 *                    the gradient carries the chain in a step, a covariance;
 *   look/noise/injected   [n] variances of the noise that its kernel adds
 *   look/tree        [4] of a trajectory of which a point is drawn: doublings,
 *                    leapfrogs, whether it diverged, mean acceptance
 *   look/path        [n][shown] while the run rests, on a real space: the points
 *                    that the next step of that chain asks about, the first 256;
 *                    look/path/points how many there are, look/path/end [shown]
 *                    where it leads, look/path/doubles 1: a trajectory that
 *                    doubles, of which 1, 2, 4 ... points belong together
 *   look/coming/step while the run rests, where a panel shows it and steps are
 *                    quick: the cs_decision of the step to come;
 *                    look/coming/kernel text, that makes it where changes which
 *                    were made at this very step come before it
 *   look/coming/x look/coming/proposal   [dim] as they are moved, not as shown
 *   look/coming/drift look/coming/noise  [dim] proposal less x, of a Langevin
 *                    step;  look/coming/multiplier of the gradient in it
 *   look/coming/carried   [dim] what its velocity adds to these two;
 *   look/coming/slope     [dim] the gradient at x that turns the noise;
 *   look/coming/rows      [3] rows of data that it draws, keeps, of how many
 *   look/coming/coupled   [2] log p(a|x) of an auxiliary variable, before and at
 *                    the proposal
 *   look/coming/odds a cs_proposal_odds;  look/coming/sites [n] cs_site_odds, of a
 *                    discrete proposal
 *   look/coming/drawn     [n] cs_row_note, the first of those rows one by one, of
 *                    which there are look/coming/drawn_of
 *   look/coming/swaps     [n] cs_swap_note, those that are tried after step
 *                    look/coming/swap_step, in that step where
 *                    look/coming/swap_within is 1; none: it is too far ahead
 *   look/coming/others    [n] cs_other_step: the step with other values of the
 *                    parameter look/coming/scaled, a text
 *   look/ratios      [n] cs_ratio, where a user has asked for them: the newest
 *                    steps of that chain, the oldest first; n = 0: none yet
 *   look/compares    1: they are asked for
 *   data/shape       of a target that simulates data and can draw them, a
 *                    cs_row_picture; data/places data/edges as of picture;
 *                    data/observed text: a character a number
 *   look/simulated/states   text likewise: the data simulated last
 *   look/simulated/factors  a cs_row_factors
 *   look/coupling/at a cs_row_coupling, where a panel shows it and it is soon
 *                    done; look/coupling/left [points + 1] numbers not settled;
 *                    look/coupling/open text: 2 where one was not, else 1
 *   look/step        a cs_decision;  look/steps one of every chain of that arm
 *   line/why         text, where somebody looks at the line: why there is none, ""
 *                    = there is. line/at [n] where its points are: values of
 *                    the coordinate line/name, or the distance that it says;
 *                    line/energy [n] -log p there, by the target; line/through
 *                    text, what it goes through; line/step when that was
 *                    evaluated; line/marks [1 or 2] where the chain stands, or
 *                    both ends
 *   picture/shape    a cs_row_picture: what all pictures of states share
 *   picture/places   [n][2] x, y;  picture/edges [m][2]
 *   arm/i/picture/first   the first of the k chains that were asked for
 *   arm/i/picture/about   [k] cs_row_pictured
 *   arm/i/picture/states  text: a character a coordinate, one chain after the
 *                    other: 1 + level, of CS_LEVELS at most; one more: none
 *   arm/i/picture/tours   [k][places] the places in turn; `places` is none
 *   look/picture/proposal look/picture/own   texts likewise of the chosen
 *                    chain; own by greys over look/picture/own_range, a cs_row_range
 *   look/picture/clusters text: of a model with bonds 1 + the rank by size of
 *                    the cluster that each is in, 1 + CS_CLUSTERS_NAMED: of a
 *                    smaller one;  look/picture/clusters_n how many there are,
 *                    look/picture/clusters_share of the sites in the largest
 *   look/picture/tour [1][places] its proposal, where states are tours
 *   event/all        [n] cs_row_event: the newest 256 changes of the journal;
 *                    event/text the newest one
 *   moment/all       [n] cs_row_moment: events of chains that were seen, 512 at
 *                    most, of frequent kinds each so many; moment/counts
 *                    [CS_EVENT_KINDS] how many there have been up to this step
 *   look/chosen      so often the session has chosen the chain to look at itself:
 *                    that of an event
 *   run/held         so often a breakpoint has held the run;  run/breaks how
 *                    many there are
 *   own/k/name title help unit axis form   texts, of the scenario's own panel
 *                    number k: a word, what stands in the frame, for the help,
 *                    of values, of the horizontal axis, and "curves" "bars"
 *                    "table" "line" or "histogram"; own/k/size [2] the least
 *                    columns and lines inside. Where somebody looks at it
 *   own/k/why        text: the error in its place, "" = none; and then, with
 *                    own/k/label/i texts, names,
 *                    of curves own/k/time [T] steps of the run, own/k/curves
 *                    [n][T]; of bars own/k/value [n], own/k/error [n] or NAN;
 *                    of a table texts own/k/row/i and own/k/head, cells between
 *                    tabs; of a line own/k/x/i own/k/y/i own/k/exact/i [m], the
 *                    last where there is one; of a histogram own/k/edges [B+1],
 *                    own/k/counts own/k/exact [B]
 *
 * and the reports of the probes that somebody looks at (the command `reports`),
 * under "arm/i/" (C = chains of that arm):
 *
 *   diagnostics/age mmd/age   seconds since it was made, 0: of this step. Other
 *                     reports always are
 *   kernel/bin_low kernel/bin_high   [B] borders of the bins of a kernel that has
 *                     them, in nats of the energy, or of what kernel/bin_of, a
 *                     text, says; the open ends are given one width
 *   kernel/bin_weight [B] their weights, the mean over chains, which sums to 1;
 *   kernel/bin_spread [B] of log weights over chains, a standard deviation
 *   kernel/bin_truth  [B] mass under the target, NAN where it is not known;
 *                     kernel/bin_truth_from text
 *   kernel/bin_multiplier [B] of the gradient, the mean over chains
 *   kernel/bin_visits [B] share of the steps;  kernel/bin_learning [B] share of
 *                     the chains that are still learning it
 *   kernel/temperature [rungs] of a tempered kernel;  kernel/swaps [rungs - 1]
 *                     share of the swaps that were made between neighbours;
 *                     kernel/trips to the hottest one and back
 *   learn/update learn/updates   of an arm that learns: updates made, and in all;
 *                     learn/rate of the next one; learn/refused, those whose
 *                     gradient was not finite; learn/numbers, how many it
 *                     learns; learn/data a text
 *   learn/way         a cs_learned_row (run/learned_figures.h) of some updates each
 *   learn/judged      a cs_judgement of each;  learn/runs of annealing;
 *                     learn/independent log likelihood of a row by independent
 *                     bits, NAN where there are none
 *   learn/words       text, the last judgement
 *   learn/filters     text, learn/filters_n pictures of CS_FILTER_LEVELS levels
 *                     from 1, learn/filters_cols wide;  learn/filters_most the
 *                     largest number in them
 *   cycle/acceptance  [P] accepted share at each position of the cycle
 *   acceptance/chains [C] cs_row_acceptance
 *   acceptance/time   [T] steps;  acceptance/rate [C][T] accepted share in
 *                     each bin of time
 *   energy/logp trace/logp diagnostics/logp   text, where log p in them is
 *                     not exact: as arm/i/logp
 *   energy/edges      [B+1] energies -log p;  energy/counts [C][B]
 *   energy/moments    [C][2] mean and standard deviation
 *   energy/size       where draws have weights: so many of equal weight say as
 *                     much (Kish)
 *   energy/truth      [B] exact shares, where there is an exact answer, and
 *   energy/truth_from text: where they come from
 *   trace/time        [T] steps, with trace/names text, for scalar s:
 *   trace/s/low trace/s/high   [C][T] envelope of the scalar in each bin
 *                     (scalar 0 is the energy -log p, then coordinates)
 *   trace/recent      [R] the newest steps;  trace/s/recent [C][R] at them
 *   trace/bins        [C][R] of a kernel with bins: the bin, from 1, in which each
 *                     of them ended, negative where its gradient's multiplier
 *                     was below 0
 *   modes/centres     [M][dim]; modes/weight [M] exact shares
 *   modes/visits      [C][M] steps near each mode; modes/other [C]
 *   modes/mass        [C][M] what these weigh, where draws have weights: of each
 *                     chain in units of its mean weight
 *   modes/first       [C][M] step of the first visit, NAN = none yet
 *   modes/jumps       [C] changes of mode
 *   modes/matrix      [M][M] of all chains, from the mode of the row to that of
 *                     the column, of 32 modes at most
 *   modes/tv          [2] total variation of all visits from modes/weight, and
 *                     its floor, where the weights are exact;  modes/all [M]
 *   modes/time        [T] and modes/shares [M][T]
 *   plane/view        a cs_row_view; plane/axes [2] the coordinates
 *   plane/counts      [H][W] visits, row 0 at the top; plane/truth [H][W]
 *                     density, scaled to sum 1, where it can be computed
 *   plane/moves       the newest steps, cs_row_move: [chains / group][K], the
 *                     oldest first, of the first chain of each group
 *   plane/outside     visits outside the view;  plane/tv [2] total variation
 *                     inside it from the truth, and its floor
 *   divergent/points  [n][K] the first coordinates of draws whose trajectory
 *                     diverged, the newest 16 of each chain
 *   transitions/energy/edges [B+1] transitions/energy/counts [B]   energies of
 *                     trajectories, energy__;  transitions/change/edges
 *                     transitions/change/counts likewise of their changes from draw
 *                     to draw;  transitions/mean of the energies;
 *                     transitions/draws;  transitions/ebfmi [C]
 *   weights/all       a cs_row_weights; weights/chains [C] of each. Where all
 *                     draws count, and alike, none of these is there
 *   weights/edges     [B+1] log10 of the weight over its chain's mean;
 *                     weights/counts [B] draws;  weights/shares [B] of the weight
 *   means/time       [T] steps;  means/mean [T][K] means of the first K
 *                    coordinates so far, the mean over chains;  means/spread [T][K] mean
 *                    square of what the chains differ from it;  means/sd [K] of
 *                    all draws;  means/mse [T] mean square error, in variances of
 *                    the target, where its means are known, and its standard
 *                    error means/error [T], NAN of fewer than 4;  means/accuracy
 *                    [T] share of the rows held out whose class the means
 *                    find, the mean over chains, where the target holds some
 *   rows/of          rows of data that there are, where a kernel draws some
 *                    of them at random
 *   rows/drawn rows/kept   a cs_row_rows of all chains, rows a step draws, and
 *                    keeps;  rows/drawn/chains rows/kept/chains [C] of each
 *   rows/recent      [R] the newest steps;  rows/drawn/recent rows/kept/recent
 *                    [C][R] at them, NAN: not known
 *   rows/edges       [B+1] numbers of rows;  rows/drawn/counts rows/kept/counts
 *                    [B] steps
 *   moments/mean moments/sd  [D] pooled, the first coordinates; moments/mcse
 *   moments/exact_mean moments/exact_sd  [D];  moments/error [4] root mean
 *                     square of (mean - exact) / sd and of log(sd / exact),
 *                     each followed by what independent draws give
 *   diagnostics/all  [S] cs_row_steps of the energy and the first coordinates
 *   diagnostics/names text, "lp__" first;  diagnostics/table [S] cs_figures,
 *                     NAN = undefined. Of the draws kept; means and errors of
 *                     all steps where those are known
 *   diagnostics/n     draws kept per chain, one each diagnostics/every steps;
 *   diagnostics/whole 1: all are kept, or all that are written
 *   diagnostics/missing so many of them, the first, were not kept
 *   diagnostics/size_errors [S] standard error of the logarithm of each ESS, by
 *                    the jackknife over chains, NAN: not known; not there of
 *                    fewer than 4.  diagnostics/size_freedom of these errors
 *   diagnostics/known of so many scalars mean, sd, MCSE and ESS in the table are
 *                     of all steps: of all of them, or 0
 *   diagnostics/judged diagnostics/of   how many scalars, and of how many
 *   diagnostics/kish  where draws do not count alike: what all that are kept are
 *                     worth by their weights;  diagnostics/quantiles [S]
 *                     cs_quantiles
 *   diagnostics/sites [sites] cs_homogeneity of a discrete state whose draws
 *                     count alike;  diagnostics/alike the smallest p times
 *                     their number, diagnostics/least of which scalar;
 *                     diagnostics/never diagnostics/apart sites that never
 *                     changed, and that did in no chain while these differ
 *   diagnostics/reason text: what is wrong with them first of all, "" =
 *                     nothing;  diagnostics/words all, a line each;
 *                     diagnostics/warned the kind of each line
 *   draws/n draws/every draws/missing   as of diagnostics, of the draws from
 *                     which quantities are reported that somebody looks at;
 *                     draws/chains [C] numbers of the first 16 chains that count,
 *                     which are rows below;  draws/weighed 1: their weights
 *                     differ;  draws/age as diagnostics/age;  for each word
 *                     of the command `reports` that names quantities, number k:
 *   draws/k/what      text, the word;  draws/k/why text: there is nothing, "" =
 *                     there is;  draws/k/undefined text likewise;
 *                     draws/k/figures a cs_row_marginal, cs_row_lags ...
 *                     (run/quantity_rows.h);  and of a
 *                     marginal: edges [B+1], all [B] shares of all draws, shares
 *                     [C][B], truth [B] and from, a text, where it is known
 *                     autocorrelation: lag [K] steps, mean [K] of all chains as it
 *                     is added up, rho [C][K]
 *                     ranks: counts [C][B]
 *                     course: time [T] steps, low high [C][T] of the draws until
 *                     each of them from the one before, in the part asked for
 *                     running: time [T] steps, mean [2][T] the mean until then and
 *                     its standard error, chain [C][T]
 *                     pairs: scalars [n] 0 the energy, then coordinates from 1;
 *                     range [n][2], correlation [n][n], share/i [B], plane/i/j
 *                     text [B][B]: a character a cell, 1 + level of 254
 *   distance/names    text (tv kl ks.x.1 ...);  distance/values [S] now, of
 *                     all chains together;  distance/draws of so many
 *   distance/floor    [S] what independent draws of the same number give,
 *   distance/law      [S] what the exact answer itself may be off
 *   distance/time     [T];  distance/curve [S][T] the mean over the chains of
 *                     the distance of each one alone;  distance/error [S][T]
 *                     of that mean, a standard error, NAN of fewer than 4  */
#pragma once

#include "base/flat.h"

#include <stdatomic.h>
#include <stdint.h>

enum { CS_LEVELS = 254 };
/* Clusters that a picture tells apart, the largest. */
enum { CS_CLUSTERS_NAMED = 7 };
enum { CS_SAID = 16 }; /* so many events are shown, see run/said */
/* An arm takes 5 KiB and more. Pages are taken when they are written. */
enum { CS_SNAPSHOT_BYTES = 16 << 20, CS_SNAPSHOT_SLOTS = 3 };

/* The shared triple buffer. The writer owns one slot, the reader one, the
 * third waits in `ready` (slot | fresh flag). Nobody waits for anybody. */
typedef struct cs_snapshots {
    atomic_uint ready; /* slot number, | 4 when newer than the reader's */
    atomic_ulong published;
    uint64_t used[CS_SNAPSHOT_SLOTS];
    unsigned char slot[CS_SNAPSHOT_SLOTS][CS_SNAPSHOT_BYTES]
        __attribute__((aligned(64)));
} cs_snapshots;

/* The reader's or the writer's end, private to its process. */
typedef struct cs_snapshot_end {
    cs_snapshots *shared;
    unsigned mine;
} cs_snapshot_end;

/* Maps a buffer that a fork shares (untouched pages cost nothing); NULL when
 * the system has no memory. cs_snapshots_unmap gives it back. */
cs_snapshots *cs_snapshots_map(void);
void cs_snapshots_unmap(cs_snapshots *s);
cs_snapshot_end cs_snapshot_writer(cs_snapshots *s);
cs_snapshot_end cs_snapshot_reader(cs_snapshots *s);

/* The writer: begin fills a table of its own slot; publish hands it over. */
void cs_snapshot_begin(cs_snapshot_end *w, cs_flat *table);
void cs_snapshot_publish(cs_snapshot_end *w, const cs_flat *table);

/* The writer: whether the reader has taken what was published last. */
bool cs_snapshot_is_taken(const cs_snapshot_end *w);

/* The reader: takes the newest slot if there is a newer one (true). The table
 * base[used] stays as it is until the next take. */
bool cs_snapshot_take(cs_snapshot_end *r, const unsigned char **base,
                      size_t *used);
