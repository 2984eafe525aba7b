/* The data that the session publishes for the front: a cs_flat table. Only the
 * newest table is read.
 *
 * Every key may be absent; a panel reports which of its keys are missing. In
 * this list, N is the number of chains and A the number of arms; "look" is the
 * chain that the user has selected.
 *
 *   run/state        text: "empty" "paused" "running" "waiting" "done" "failed"
 *                    ("waiting": ready to run, but another process writes the
 *                    draws)
 *   run/watched      text: folder of the draws that another process writes; ""
 *                    if this session makes the draws
 *   run/differs      1 if the run was opened from a recording and the text of
 *                    run/file has changed since
 *   run/title, run/shows, run/source, run/file, run/target, run/space   text
 *   run/lesson                                      text, see io/lesson.h
 *   run/sets         text: "name=value" words with which `open` creates the run
 *                    that `restart` would create; absent if they are too long
 *   run/opened       a number that changes if `restart` with the same seed
 *                    could produce another run: a digest of the file, of the
 *                    file's text, and of the settings without the seed
 *   run/steps run/seed run/dim run/seconds run/rate   numbers; rate in
 *                    chain-steps per second over the last second
 *   run/calling      share of the time since the start that was spent in
 *                    functions of the script (run:every, run:at)
 *   run/speed        requested steps per second, 0 = no limit
 *   run/slow         1 in slow motion
 *   run/turns        turns of members in a step of the selected arm
 *   run/settled      0 while exact answers are being computed
 *   run/reported     0 while a report is older than the current step (see
 *                    diagnostics/age)
 *   run/changes      number of changes that `undo` can reverse
 *   run/journal      a number that changes with the journal and with the run
 *   run/end          the farthest step so far; it exceeds run/steps after going
 *                    back
 *   run/oldest       the oldest step that rewind can reach
 *   run/progress     share of the budget that is spent, 0 to 1; NAN if there is
 *                    no budget or the budget is exceeded; run/eta remaining
 *                    time in seconds
 *   run/tuned        share of the slowest tuner's steps that are made, 0 to 1;
 *                    1 if no tuner is active
 *   run/draws_from   the last step before the draws: the end of the longest
 *                    warm-up, or the step at which the target was changed
 *   run/overfull     1: some reports did not fit into the previous snapshot
 *   run/message      text, the newest event; run/messages number of events so
 *                    far
 *   run/opening      the number (from 1) of the event that reports that a
 *                    scenario was opened, if it has no note; 0: none
 *   run/said/i       text, event number n (from 0) under i = n % CS_SAID
 *   run/said_at      [1][CS_SAID] the step at which each event happened
 *   run/folder       text: folder to which draws are being written, "" = none
 *   run/panels       text, the scenario's panels, separated by blanks, each
 *                    with the quantity and the arm that the panel displays
 *                    first, if given: "trace=x.1@small map=log_tau,theta.1"
 *   run/arms         A;  run/chains run/failed run/lost   number of chains
 *                    in all arms; number that stopped; number whose files
 *                    are damaged or left out
 *   coordinates      text: names of the first 256 coordinates, separated by
 *                    blanks (of the first 64 if the other names are x.65 ...)
 *   target/shown     [n] cs_row_shown of the first 256 displayed quantities, if
 *                    the parameters of the target have names
 *   target/modes     [modes][dim]
 *   arm/i/name arm/i/kernel arm/i/title   text; arm/i/exact 0 or 1;
 *   arm/i/broken     text: the law that the arm breaks according to :check; ""
 *                    if no law was found broken
 *   arm/i/lesson     text: the scenario, FOLDER/NAME, that explains a warning
 *                    of the arm
 *   arm/i/held       text: the laws that hold according to :check for the arm
 *                    in its current form
 *   arm/i/off        1 if the arm's draws differ from an exact distribution by
 *                    more than chance; arm/i/tuned share of the warm-up that is
 *                    completed
 *   arm/i/logp       text: the kind of log p of the arm's draws, "exact"
 *                    "estimate" or "none"; arm/i/observed_log_densities
 *                    observed_data_terms number of evaluations for probes and
 *                    users, in addition to the numbers below
 *   arm/i/expected_rows  mean number of data rows drawn per step; NAN if the
 *                    arm draws no rows or the number is unknown; arm/i/loose
 *                    text: why these rows are too many to be useful; "" if
 *                    they are not too many
 *   arm/i/group      chains per group: most reports use only the first chain of
 *                    each group; entry k is chain k * group
 *   arm/i/chains steps warm_up seconds finished failed divergent not_finite
 *         log_densities gradients site_differences data_terms simulations
 *         site_updates evaluations
 *         passes numbers (arm/i/steps ...); warm_up: steps of the warm-up, 0
 *                    until the warm-up ends; divergent, not_finite: steps of
 *                    all chains since the warm-up that diverged or met a NaN
 *   arm/i/params     number of parameters: those of the kernel, then the fields
 *                    of schedules that drive these parameters ("step.max"),
 *                    then the target's parameters; for each k:
 *                    arm/i/param/k, see below
 *   arm/i/warnings   text, the arm's warnings (warn/warnings.h), one per line,
 *                    causes first; warnings about modes and draws only if the
 *                    reports on which they are based are requested;
 *                    arm/i/warned  text, the kind of each warning;
 *                    arm/i/severity  the highest severity, a cs_severity
 *   arm/i/words      text, the warnings that the arm's draws do not show, and
 *                    the findings of :check
 *   arm/i/param/k    a cs_row_param (session/client/snapshot_rows.h)
 *   arm/i/param/k/name  unit  help          text; choices their names
 *   arm/i/list/l/name  text: name of list number l (from 0) of numbers that the
 *                    kernel was given; arm/i/list/l/text the values of the
 *                    list, shortened
 *   arm/i/schedule/k a cs_row_schedule if a schedule drives parameter k;
 *                    arm/i/schedule/k/value [T] values of the parameter over
 *                    the next period; for a registered schedule also `kind`, a
 *                    text, and `values` [used] of the schedule's fields
 *   arm/i/tuner      text, the name of the arm's tuner, if any; then
 *   arm/i/tuner/active  part steps target: whether it is active, 0 or 1; the
 *                    share of the tuner's steps that are made; the number of
 *                    steps made; the acceptance rate that the tuner aims at,
 *                    NAN: none
 *   arm/i/tuner/driven  number of parameters that the tuner drives;
 *                    arm/i/tuner/param/d index of the d-th of these parameters;
 *                    arm/i/tuner/phase/p names of the tuner's phases
 *   arm/i/metric     text, for a tuner that learns a metric: the metric's kind;
 *                    arm/i/metric/sd [2] the smallest and largest standard
 *                    deviation
 *   arm/i/tuner/trials [n] cs_row_trial
 *   look/at          a cs_row_look
 *   look/x look/proposal  [shown] state and last proposal of the chain;
 *                    look/fault text: why the chain stopped; "" if it has not
 *                    stopped
 *   look/own         text: names of the kernel's auxiliary variables; the value
 *                    of variable k is look/own/k [rows], the proposed value
 *                    look/own/k/proposal
 *   look/logp        text: the kind of log p of the chain, see arm/i/logp;
 *                    look/true_logp log p, if a user has requested it at the
 *                    chain's current state
 *   look/noise/gradient   [n][n] of the first coordinates: covariance of the
 *                    displacement per step due to gradient noise;
 *   look/noise/injected   [n] variances of the noise that the kernel adds
 *   look/tree        [4] for a trajectory from which a point is drawn:
 *                    doublings, leapfrogs, whether it diverged, mean acceptance
 *   look/path        [n][shown] while paused, on a real space: the points that
 *                    the next step of the chain evaluates, at most the first
 *                    256; look/path/points number of all these points;
 *                    look/path/end [shown] the end of the path;
 *                    look/path/doubles 1 for a trajectory that doubles, in
 *                    groups of 1, 2, 4 ... points
 *   look/preview/step while paused, if a panel shows it and steps are fast: the
 *                    cs_decision of the next step; look/preview/kernel text,
 *                    the kernel that makes the next step, if changes made at
 *                    the current step take effect first
 *   look/preview/x look/preview/proposal  [dim] state and proposal, in the
 *                    coordinates of the kernel
 *   look/preview/drift look/preview/noise  [dim] the two parts of proposal
 *                    minus x in a Langevin step; look/preview/multiplier factor
 *                    of the gradient in this step
 *   look/preview/carried  [dim] contribution of the velocity to drift and noise
 *   look/preview/slope  [dim] gradient at x, which determines the sign of the
 *                    noise
 *   look/preview/rows      [3] rows of data: drawn, kept, total
 *   look/preview/coupled   [2] log p(a|x) of an auxiliary variable, at x and
 *                    at the proposal
 *   look/preview/odds a cs_proposal_odds; look/preview/sites [n] cs_site_odds,
 *                    for a discrete proposal
 *   look/preview/drawn  [n] cs_row_note of the first rows drawn;
 *                    look/preview/drawn_of number of all rows drawn
 *   look/preview/swaps  [n] cs_swap_note: the swaps attempted after step
 *                    look/preview/swap_step, or within that step if
 *                    look/preview/swap_within is 1; absent if these swaps are
 *                    too far ahead
 *   look/preview/others    [n] cs_other_step: the step with other values of the
 *                    parameter look/preview/scaled, a text
 *   look/turns/notes [n] cs_turn_note of the members of a cycle or a mixture in
 *                    the next step, while paused or in slow motion;
 *                    look/turns/before /after /proposal  [n][shown] the states,
 *                    as displayed; look/turns/of number of all turns
 *   look/turns/made  in slow motion: number of turns of the next step that are
 *                    displayed as made
 *   look/conditional/at  a cs_row_conditional for the chosen coordinate in the
 *                    next step; look/conditional/value /density  [1][n]
 *   look/ratios      [n] cs_ratio, if a user has requested ratios: those of the
 *                    newest steps of the chain, the oldest first; n = 0: no
 *                    ratio is known yet
 *   look/compares    1 if ratios are requested
 *   data/shape       for a target that simulates data and can draw them, a
 *                    cs_row_picture; data/places data/edges as for picture;
 *                    data/observed text: one character per number
 *   look/simulated/states  text: the data simulated last, one character per
 *                    number
 *   look/simulated/factors  a cs_row_factors
 *   look/coupling/at a cs_row_coupling, if a panel shows the coupling and
 *                    computing it takes little time; look/coupling/left
 *                    [points + 1] how many numbers of the data are unsettled at
 *                    each point; look/coupling/open text: one character per
 *                    number, 2 if the number is unsettled, else 1
 *   look/step        the last cs_decision of the chain; look/steps the last
 *                    cs_decision of each chain of the selected arm
 *   line/why         text, if the panel `line` is displayed: why there is no
 *                    line; "" if there is a line. line/at [n] positions of the
 *                    line's points: values of the coordinate line/name, or of
 *                    the distance that line/name describes; line/energy [n]
 *                    -log p at these points, by the target; line/through text,
 *                    the state or points that the line passes through;
 *                    line/step the step of the evaluation; line/marks [1 or 2]
 *                    the chain's position, or both ends
 *   picture/shape    a cs_row_picture: properties shared by all pictures
 *   picture/places   [n][2] x, y;  picture/edges [m][2]
 *   arm/i/picture/first   the first of the k requested chains
 *   arm/i/picture/about   [k] cs_row_pictured
 *   arm/i/picture/states  text: one character per coordinate, chain by chain: 1
 *                    + the level, of at most CS_LEVELS levels; the next
 *                    character means no value
 *   arm/i/picture/tours   [k][places] the cities in order; `places` = no city
 *   look/picture/proposal look/picture/own  texts with one character per
 *                    coordinate, for the selected chain: the proposal, and the
 *                    auxiliary variable of the kernel in greys over the range
 *                    look/picture/own_range, a cs_row_range
 *   look/picture/clusters text, for a model with bonds: 1 + rank by size of the
 *                    cluster of each site, 1 + CS_CLUSTERS_NAMED for smaller
 *                    clusters;  look/picture/clusters_n number of clusters,
 *                    look/picture/clusters_share share of the sites in the
 *                    largest cluster
 *   look/picture/tour  [1][places] proposal of the selected chain, if states
 *                    are tours
 *   course/step course/of  texts, of a scenario with a course: the number of
 *                    the present step (from 1), and the number of steps;
 *                    course/text its sentence; course/panels its panels;
 *                    course/points "GOT OF"; course/over "1" after the last
 *                    step; course/broken why the step failed, absent: it did
 *                    not; course/coming the figures of the next question that
 *                    will follow, absent while a question is open and after the
 *                    last answer. With a question:
 *   course/ask course/kind  texts: the question, and "choose" "several" "number"
 *                    "order" "place" or, for a game (lua/chainscope/game.lua),
 *                    "game"; course/choices the answers or the arms, one
 *                    per line; course/place the two coordinates;
 *                    course/answer the answer, course/first the first answer if
 *                    it was another one, both absent without an answer;
 *                    course/chosen the numbers of the chosen answers;
 *                    course/asked the number of the step that asks;
 *                    course/covers the figures that are covered: present while
 *                    the question is open. Then, when its truth is known,
 *   course/truth course/mark  texts: the truth, and "right" "wrong" "none" (no
 *                    answer) or "open" (this run does not decide the question);
 *                    course/because a sentence about the wrong answer;
 *                    course/margin standard errors between two answers;
 *                    course/right course/wrong an answer that is right, and one
 *                    that is wrong
 *   course/votes course/votes_second  texts, after the reveal: counts of a class,
 *                    one per answer, separated by blanks; absent: none;
 *                    course/voters course/voters_second numbers of voters, if
 *                    a voter could choose several answers
 *   course/point/word  text at an arrow: at the row of the arm
 *                    course/point/arm, at the place course/point/x of the map,
 *                    or at the value course/point/value of a histogram
 *   event/all        [n] cs_row_event: the newest 256 changes of the journal;
 *                    event/text text of the newest change
 *   moment/all       [n] cs_row_moment: events found by probes, at most 512;
 *                    frequent kinds are thinned; moment/counts
 *                    [CS_EVENT_KINDS] number of each kind up to this step
 *   look/chosen      number of times that the session itself has selected a
 *                    chain, namely that of an event
 *   run/held         number of stops at breakpoints;  run/breaks number of
 *                    breakpoints
 *   own/k/name title help unit axis form   texts, of the scenario's own panel
 *                    number k: a word, the title in the frame, the help text,
 *                    the units of the values and of the horizontal axis, and
 *                    "curves" "bars" "table" "line" or "histogram". If
 *                    displayed:
 *   own/k/why        text: the error shown instead, "" = none; then, with
 *                    own/k/label/i texts, names,
 *                    curves: own/k/time [T] steps of the run, own/k/curves
 *                    [n][T]
 *                    bars: own/k/value [n], own/k/error [n] or NAN
 *                    table: texts own/k/row/i and own/k/head, cells separated
 *                    by tabs
 *                    line: own/k/x/i own/k/y/i own/k/exact/i [m], the last if
 *                    there is one
 *                    histogram: own/k/edges [B+1], own/k/counts own/k/exact [B]
 *   predictive/there text: "1" if the scenario has predictive checks. If the
 *                    panel is displayed: predictive/why, as own/k/why, and for
 *                    check c predictive/c/name unit (texts), texts
 *                    predictive/c/view/i (the chosen view first) and
 *                    predictive/c/statistic/i; for each arm
 *                    predictive/c/arm/i/why size [4] (replications, draws left
 *                    out, shares inside 50 and 90 %) density interval
 *                    rootogram calibration (each cs_predictive_row [n]; only
 *                    views of the data), test/s [6] (cs_predictive_test) and
 *                    s/edges [B+1] s/shares [B] of replicated statistic s
 *
 * and the reports of the probes that are displayed (the command `reports`),
 * under "arm/i/" (C = chains of that arm):
 *
 *   diagnostics/age mmd/age   age of the report in seconds; 0 if the report
 *                     describes the current step, as all other reports do
 *   kernel/bin_low kernel/bin_high  [B] borders of the bins, for a kernel with
 *                     bins, in nats of the energy or in units of the quantity
 *                     kernel/bin_of, a text; the two open bins have the width
 *                     of one bin
 *   kernel/bin_weight [B] weights of the bins, averaged over chains; their sum
 *                     is 1
 *   kernel/bin_spread [B] standard deviation of the log weights over chains
 *   kernel/bin_truth  [B] mass under the target, NAN if unknown;
 *                     kernel/bin_truth_from text
 *   kernel/bin_multiplier  [B] factor of the gradient, averaged over chains
 *   kernel/bin_visits [B] share of the steps; kernel/bin_learning [B] share of
 *                     the chains that still learn the weight of the bin
 *   kernel/temperature  [rungs] temperatures of a tempered kernel; kernel/swaps
 *                     [rungs - 1] share of accepted swaps between neighbours;
 *                     kernel/trips number of round trips to the hottest rung
 *   kernel/members   [members] for a cycle or a mixture, rows with the columns
 *                     of a report of kernel/composed.h;
 *                     kernel/member/I/name /kernel /moves text: name and kernel
 *                     of member I, and the parameters that it moves;
 *                     kernel/member/I/aim best acceptance; kernel/moved_by [dim]
 *                     the member that moves each coordinate, below 0: none or
 *                     several
 *   learn/update learn/updates  for an arm that learns: number of updates made,
 *                     and total number; learn/rate rate of the next update;
 *                     learn/refused number of updates whose gradient was not
 *                     finite; learn/numbers number of learned values;
 *                     learn/data text that describes the data
 *   learn/way         rows of cs_learned_row (run/summary/learned_figures.h),
 *                     each for several updates
 *   learn/judged      rows of cs_judgement, one per evaluation; learn/runs
 *                     number of annealing runs; learn/independent log
 *                     likelihood of a row under independent bits, NAN without
 *                     such bits
 *   learn/words       text, the last evaluation
 *   learn/filters     text, learn/filters_n pictures of CS_FILTER_LEVELS levels
 *                     from 1, learn/filters_cols wide;  learn/filters_most the
 *                     largest number in them
 *   cycle/acceptance  [P] accepted share at each position of the cycle
 *   acceptance/chains [C] cs_row_acceptance
 *   acceptance/time   [T] steps;  acceptance/rate [C][T] accepted share in
 *                     each bin of time
 *   acceptance/good   [2] lowest and highest rate that suit the kernel, see
 *                     cs_warn_good_acceptance; only for a kernel with a step
 *   energy/logp trace/logp diagnostics/logp   text, if log p in the report is
 *                     not exact: see arm/i/logp
 *   energy/edges      [B+1] energies -log p;  energy/counts [C][B]
 *   energy/moments    [C][2] mean and standard deviation
 *   energy/size       for weighted draws: effective sample size of the weights
 *                     (Kish)
 *   energy/truth      [B] exact shares, if there is an exact answer, and
 *   energy/truth_from text: the source of the exact answer
 *   trace/time        [T] steps, with trace/names text, for scalar s:
 *   trace/s/low trace/s/high   [C][T] envelope of the scalar in each bin
 *                     (scalar 0 is the energy -log p, then coordinates)
 *   trace/drawn       [D] steps at the ends of D equal bins; trace/s/drawn
 *                     [C][D] the value at one random step of each, NAN = none
 *   trace/recent      [R] the newest steps;  trace/s/recent [C][R] the scalar
 *                     at these steps
 *   trace/bins        [C][R] for a kernel with bins: number from 1 of the bin
 *                     in which each of these steps ended, negative if the
 *                     factor of the gradient was below 0
 *   modes/centres     [M][dim]; modes/weight [M] exact shares
 *   modes/visits      [C][M] steps near each mode; modes/other [C]
 *   modes/mass        [C][M] weight of these visits, for weighted draws: in
 *                     units of each chain's mean weight
 *   modes/first       [C][M] step of the first visit, NAN = none yet
 *   modes/jumps       [C] changes of mode
 *   modes/matrix      [M][M] number of changes, over all chains, from the mode
 *                     of the row to the mode of the column, for at most 32
 *                     modes
 *   modes/tv          [2] total variation distance between all visits and
 *                     modes/weight, and its floor, if the weights are exact;
 *                     modes/all [M] weight of all visits
 *   modes/time        [T] and modes/shares [M][T]
 *   plane/view        a cs_row_view; plane/axes [2] the coordinates
 *   plane/counts      [H][W] visits, row 0 at the top; plane/truth [H][W]
 *                     density, scaled to sum 1, where it can be computed
 *   plane/moves       the newest steps, cs_row_move: [chains / group][K], the
 *                     oldest first, of the first chain of each group
 *   plane/every       steps between two states of plane/moves
 *   plane/outside     visits outside the view; plane/tv [2] total variation
 *                     distance from the truth inside the view, and its floor
 *   divergent/points  [n][K] the first coordinates of draws whose trajectory
 *                     diverged, the newest 16 of each chain
 *   transitions/energy/edges  [B+1] transitions/energy/counts [B] energies of
 *                     trajectories, energy__; transitions/change/edges
 *                     transitions/change/counts the same for the changes of
 *                     these energies from draw to draw; transitions/mean mean
 *                     of the energies;
 *                     transitions/draws number of draws; transitions/ebfmi [C]
 *   weights/all       a cs_row_weights; weights/chains [C] one per chain.
 *                     Absent if all draws count equally
 *   weights/edges     [B+1] log10 of the weight over its chain's mean;
 *                     weights/counts [B] number of draws;  weights/shares [B]
 *                     share of the total weight
 *   means/time       [T] steps;  means/mean [T][K] running means of the first K
 *                    coordinates, averaged over chains;  means/spread [T][K]
 *                    mean squared deviation of the chains from this average;
 *                    means/sd [K] standard deviation of all draws;  means/mse
 *                    [T] mean square error, in variances of the target, if the
 *                    target's means are known, and the standard error of this
 *                    mean square error means/error [T], NAN for fewer than 4
 *                    chains; means/accuracy [T] share of the held-out rows that
 *                    the means classify correctly, averaged over chains, if the
 *                    target has held-out rows
 *   rows/of          total number of rows of data, if a kernel draws random
 *                    subsets of these rows
 *   rows/drawn rows/kept   a cs_row_rows of all chains, rows drawn and kept per
 *                    step;  rows/drawn/chains rows/kept/chains [C] per chain
 *   rows/recent      [R] the newest steps;  rows/drawn/recent rows/kept/recent
 *                    [C][R] rows at these steps, NAN: unknown
 *   rows/edges       [B+1] numbers of rows;  rows/drawn/counts rows/kept/counts
 *                    [B] steps
 *   moments/mean moments/sd  [D] of the first coordinates, over all chains;
 *                     moments/mcse
 *   moments/exact_mean moments/exact_sd  [D];  moments/error [4] root mean
 *                     square of (mean - exact) / sd and of log(sd / exact),
 *                     each followed by its value for independent draws
 *   diagnostics/all  [S] cs_row_steps of the energy and the first coordinates
 *   diagnostics/names text, "lp__" first;  diagnostics/table [S] cs_figures,
 *                     NAN = undefined. From the draws kept; means and errors
 *                     from all steps if these are known
 *   diagnostics/n     draws kept per chain, one per diagnostics/every steps;
 *   diagnostics/whole 1: all draws, or all written draws, are kept
 *   diagnostics/missing number of draws at the start that were not kept
 *   diagnostics/size_errors [S] standard error of the logarithm of each ESS, by
 *                    the jackknife over chains, NAN: unknown; absent for
 *                    fewer than 4.  diagnostics/size_freedom degrees of freedom
 *                    of these errors
 *   diagnostics/known number of scalars whose mean, sd, MCSE and ESS in the
 *                     table are from all steps: all scalars, or 0
 *   diagnostics/diagnosed diagnostics/of  number of diagnosed scalars, and of
 *                     all scalars
 *   diagnostics/multivariate  [3] cs_joint_size of all quantities;
 *                     diagnostics/multivariate_reason text: why the size is
 *                     missing, "" = it is known
 *   diagnostics/kish  for weighted draws: effective sample size of the weights
 *                     (Kish)
 *   diagnostics/probabilities [P]  diagnostics/quantiles [S][P] quantiles of the
 *                     draws kept, each a cs_quantile_figures
 *   diagnostics/sites [sites] cs_homogeneity of a discrete state whose draws
 *                     count equally; diagnostics/alike the smallest p times the
 *                     number of sites; diagnostics/least the site with this p;
 *                     diagnostics/never diagnostics/apart number of sites that
 *                     never changed, and of those that changed in no chain
 *                     while the chains differ
 *   diagnostics/reason text: the most important problem, "" = none;
 *                     diagnostics/words all problems, one per line;
 *                     diagnostics/warned the kind of each line
 *   draws/n draws/every draws/missing   as for diagnostics, for the draws from
 *                     which the displayed quantities are computed; draws/chains
 *                     [C] numbers of the first 16 chains that count, which are
 *                     the rows below;  draws/weighed 1: draws differ in weight;
 *                     draws/age as diagnostics/age;  for each word of the
 *                     command `reports` that names quantities, number k:
 *   draws/k/what      text, the word;  draws/k/why text: why there is no
 *                     result, "" = there is one;  draws/k/undefined text
 *                     likewise; draws/k/figures a cs_row_marginal, cs_row_lags
 *                     ... (run/draws/quantity_rows.h);  and for each kind:
 *                     marginal: edges [B+1], all [B] shares of all draws,
 *                     shares [C][B], truth [B] and from, a text, if known
 *                     autocorrelation: lag [K] steps, mean [K] over all chains
 *                     as summed for the ESS, rho [C][K]
 *                     ranks: counts [C][B]; band [2][B] the range of a bar
 *                     series: time [T] steps, low high [C][T] range of the
 *                     draws between consecutive times, in the requested part,
 *                     drawn [C][T] one of these draws
 *                     running: time [T] steps, mean [2][T] the running mean and
 *                     its standard error, chain [C][T]
 *                     pairs: scalars [n] 0 the energy, then coordinates from 1;
 *                     range [n][2], correlation [n][n], share/i [B], plane/i/j
 *                     text [B][B]: one character per cell, 1 + level of 254
 *   distance/names    text (tv kl ks.x.1 ...);  distance/values [S] current, of
 *                     all chains together;  distance/draws number of draws
 *                     of all chains together
 *   distance/floor    [S] expected value for independent draws of that number,
 *   distance/law      [S] possible error of the exact answer itself
 *   distance/time     [T];  distance/curve [S][T] distance of each single
 *                     chain, averaged over the chains;  distance/error [S][T]
 *                     standard error of this average, NAN for fewer than 4
 *                     chains */
#pragma once

#include "base/flat.h"

#include <stdatomic.h>
#include <stdint.h>

enum { CS_LEVELS = 254 };
/* Number of clusters that a picture distinguishes; these are the largest
 * clusters. */
enum { CS_CLUSTERS_NAMED = 7 };
/* number of messages that are published, the newest ones; see run/said */
enum { CS_SAID = 16 };
/* Size of a slot in bytes, and number of slots. An arm takes at least 5 KiB.
 * Memory pages are allocated only when they are written. */
enum { CS_SNAPSHOT_BYTES = 16 << 20, CS_SNAPSHOT_SLOTS = 3 };

/* The shared triple buffer. The writer owns one slot and the reader another;
 * `ready` holds the number of the third slot and a flag for new contents.
 * Neither side waits. */
typedef struct cs_snapshots {
    atomic_uint ready; /* index of the third slot; 4 is added if this slot is
                          newer than the reader's slot */
    atomic_ulong published;
    uint64_t used[CS_SNAPSHOT_SLOTS];
    unsigned char slot[CS_SNAPSHOT_SLOTS][CS_SNAPSHOT_BYTES]
        __attribute__((aligned(64)));
} cs_snapshots;

/* The state that the reader or the writer keeps in its own process. */
typedef struct cs_snapshot_end {
    cs_snapshots *shared;
    unsigned mine;
} cs_snapshot_end;

/* Maps a buffer that is shared with a forked child. Pages that are never
 * used cost nothing. Returns NULL if the system has no memory.
 * cs_snapshots_unmap frees the buffer. */
cs_snapshots *cs_snapshots_map(void);
void cs_snapshots_unmap(cs_snapshots *s);
cs_snapshot_end cs_snapshot_writer(cs_snapshots *s);
cs_snapshot_end cs_snapshot_reader(cs_snapshots *s);

/* Functions of the writer. cs_snapshot_begin starts a table in the writer's
 * slot; cs_snapshot_publish passes this table to the reader. */
void cs_snapshot_begin(cs_snapshot_end *w, cs_flat *table);
void cs_snapshot_publish(cs_snapshot_end *w, const cs_flat *table);

/* For the writer: returns true if the reader has taken the last published
 * snapshot. */
bool cs_snapshot_is_taken(const cs_snapshot_end *w);

/* For the reader: takes the newest slot. Returns true if this slot is newer
 * than the last slot taken. The table base[used] does not change until the next
 * call. */
bool cs_snapshot_take(cs_snapshot_end *r, const unsigned char **base,
                      size_t *used);
