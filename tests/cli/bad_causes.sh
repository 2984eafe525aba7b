#!/bin/sh
# usage: bad_causes.sh PROGRAM
# Tests bad runs whose draws do not show the cause. The first warning names the
# cause and its own remedy, and no warning gives a wrong remedy.
program=$1
. "$(dirname "$0")/../support/bad_runs.sh"
# unsaid NAME WORDS: fails if the last run printed WORDS.
unsaid() { grep -E -- "$2" "$work/said" && fault "$1: wrong remedy: $2"; }

# ---- the target -----------------------------------------------------------
first improper 'log density does not decrease along a line on which [ab].1 changes most, .*give each parameter a prior' <<'E'
  target = target { params = { { a = real(1) }, { b = real(1) } }, log_density = function(p)
    return -(p.a[1] + p.b[1] - 3)^2 / 2 end }, arms = { a = K.nuts { max_depth = 6 } }
E
unsaid improper 'max_depth|run longer|times as long'
first improper_walk 'log density does not decrease along a line on which [ab].1 changes most' <<'E'
  target = target { params = { { a = real(1) }, { b = real(1) } }, log_density = function(p)
    return -(p.a[1] + p.b[1] - 3)^2 / 2 end }, arms = { a = walk { step = 1 } }
E
first improper_axis 'along a line on which x.2 changes most, over 1,000,000 times' <<'E'
  target = target { space = real(2), log_density = function(x) return -x[1]^2 / 2 - log(1 + exp(-x[2])) end },
  arms = { a = walk { step = 2 } }
E
first flat 'a.1 has reached -?[0-9.e+]*: the density may have no finite integral' <<'E'
  target = target { params = { { a = real(1) } }, log_density = function(p) return 0 * p.a[1] end },
  arms = { a = K.nuts { max_depth = 6 } }
E
first slope 'the gradient of x.2 is -?[0-9.]* where differences of the log density give -?[0-9.]*: correct the gradient' <<'E'
  target = target { space = real(2), traced = false, log_density = function(x) return -x[1]^2 / 2 - x[2]^2 / 2 end,
    gradient = function(x) return { -x[1], x[2] } end }, arms = { a = K.nuts { max_depth = 6 } }, budget = { steps = 600 }
E
unsaid slope 'max_depth|run longer|smaller step'
first slope_of_scale 'the gradient of x.1 is .*: correct the gradient' <<'E'
  target = target { space = real(1), traced = false, log_density = function(x) return -x[1]^2 / 8 end,
    gradient = function(x) return { -x[1] / 2 } end }, arms = { a = K.mala { step = 2 } }
E
edge="space = real(1), traced = false, log_density = function(x) return x[1] < 0 and -math.huge or -x[1] end,
  gradient = function(x) return { -1 } end }, start = { { 1 }, { 2 }, { 0.5 }, { 0.7 } }"
first edge_hmc 'near the draws the density is zero .x.1 = .*, and [0-9,]* of [0-9,]* steps ended there: declare the bounds' <<E
  target = target { $edge, arms = { a = hmc { step = 0.5 } }
E
unsaid edge_hmc 'smaller step'
first edge_nuts 'near the draws the density is zero .x.1 = .*declare the bounds' <<E
  target = target { $edge, arms = { a = K.nuts {} }
E
printf '%s\n' 'read a; printf "chainscope 1\nparameter x real\nready\n"; k=0
while read what n; do i=0; while [ $i -lt $n ]; do read p; i=$((i+1)); k=$((k+1)); echo $((k % 2)); done; echo end; done' >"$work/odd.sh"
first random 'two calls at one state gave log densities [0-9.]* and [0-9.]*: let the log density depend only on the state' --trust <<E
  target = target { process = { "sh", "$work/odd.sh" } }, budget = { steps = 50 }, chains = 2, arms = { a = walk { step = 1 } }
E

# ---- the kernel -----------------------------------------------------------
first half_orbit 'trajectories of fixed length return to their start, or to its mirror image, in x.[12]' <<'E'
  target = gaussian { dim = 2 }, arms = { a = hmc { step = math.pi / 10, leapfrogs = 10, jitter = 0 } }
E
unsaid half_orbit 'run longer|try [0-9]'
first metric 'trajectories were cut off at max_depth, and x.1 and x.2 have correlation [0-9.]*: use a dense metric' <<'E'
  target = target { space = real(2), log_density = function(x) return -x[1]^2 / 2 - (x[2] - x[1])^2 * 5e5 end },
  arms = { a = { kernel = K.nuts { max_depth = 5 }, tuner = cs.tuner.window_adaptation { metric = "diagonal" } } }
E
unsaid metric 'raise max_depth|run longer'
first small_mala 'accepts [0-9.]* % at step size 0.05, best near 57 %: try 0.[1-5]' <<'E'
  target = gaussian { dim = 5 }, arms = { a = K.mala { step = 0.05 } }
E
unsaid small_mala 'times as long|run longer'
first small_walk 'accepts 9.* % at step size 0.1, best near 44 %' <<'E'
  target = gaussian { dim = 1 }, arms = { a = walk { step = 0.1 } }
E
unsaid small_walk 'times as long|run longer'
first adapting 'any_scale adapts until step 10,000, and 100 % of the draws are from earlier steps: set .warmup. to that step' <<'E'
  target = target.ising { rows = 3, cols = 3, beta = 0.1 }, arms = { a = K.any_scale {} }
E
first adapting_leads 'any_scale adapts until step 900' <<'E'
  target = target.ising { rows = 3, cols = 3, beta = 0.1 }, arms = { a = K.any_scale { adapt = 900 }, b = K.any_scale { adapt = 150 } }
E
grep -q '`a` adapts for more than a tenth of its draws' "$work/said" || fault "an arm that still adapts leads: $(tail -2 "$work/said")"
own='target = gaussian { dim = 1 }, arms = { a = K { propose = function(x, draw) return { x[1] + 3 * (draw:uniform() - 0.5) } end } }'
export XDG_CACHE_HOME="$work/cache"
first unchecked 'the kernel of a, a function of the script, has not been checked: run `chainscope check` on the file' <<E
  $own
E
grep -q '"name": "unchecked", "severity": "note"' "$work/json" || fault "no note that the kernel is unchecked: $(cat "$work/json")"
"$program" check "$work/unchecked.lua" --seconds 1 >"$work/checked" 2>&1
"$program" run "$work/unchecked.lua" --workers 1 >"$work/said" 2>&1
grep -q 'has not been checked' "$work/said" && fault "a checked kernel is called unchecked: $(cat "$work/checked" "$work/said")"
first infinite '[0-9]* of 7200 draws of r are infinite or NaN, in 4 of 4 chains, so the quantity has no results' <<'E'
  target = target { params = { { q = real(1) } }, log_density = function(p) return -p.q[1]^2 / 2 end,
    generated = function(p) return { r = log(p.q[1]) } end }, arms = { a = walk { step = 2 } }
E
bad capped 'ESS of x.[12] is [0-9,]*, the largest value reported for 7,200 draws: the draws are antithetic' <<'E'
  target = gaussian { dim = 2 }, arms = { a = hmc { step = 0.3, leapfrogs = 8, jitter = 0.1 } }
E

# ---- files of draws -------------------------------------------------------
# files FOLDER "ROWS ..." BAD: writes the files of four chains with these numbers
# of rows. In the first chain, the value of r in row 5 is BAD.
files() {
    mkdir "$work/$1"
    chain=0
    for rows in $2; do
        chain=$((chain + 1))
        awk -v rows=$rows -v id=$chain -v bad=$3 'BEGIN { srand(id); print "# id = " id; print "lp__,q,r"
            for (i = 1; i <= rows; i++) { q = rand(); print -1 "," q "," (i == 5 && id == 1 && bad ? bad : rand()) } }' \
            >"$work/$1/toy-$chain.csv"
    done
    "$program" report "$work/$1" -o "$work/$1.html" >"$work/said" 2>&1
}
files unequal '400 150 400 380'
grep -q 'the chains have from 150 to 400 draws: the results use the first 150 of each chain' "$work/unequal.html" ||
    fault "chains of unequal length: $(cat "$work/said")"
files equal '400 400 400 380'
grep -q 'the chains have from' "$work/equal.html" && fault "chains whose lengths differ by a few rows are reported"
files infinite_draws '400 400 400 400' inf
grep -q '1 of 1600 draws of r are infinite or NaN, in 1 of 4 chains, so the quantity has no results' "$work/infinite_draws.html" ||
    fault "infinite draws: $(cat "$work/said")"
exit $faults
