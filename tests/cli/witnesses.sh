#!/bin/sh
# usage: witnesses.sh PROGRAM
# Tests that the arms on one target are compared with each other and with exact
# values. If they disagree, the printed output, summary.json and the race report
# where and by how much, and no arm leads. Biased arms are not reported. Display
# options change nothing.
. "$(dirname "$0")/../support/runs.sh"

# go NAME: runs the scenario from stdin; the output is in `said` and
# NAME/summary.json.
go() {
    { echo 'local cs = require "chainscope"
local K, real, normal = cs.kernel, cs.real, cs.lpdf.normal
local function hills(x) return cs.math.log_sum_exp(normal(x[1], 0, 1), normal(x[1], 15, 1)) end
return cs.scenario { title = "witnesses", chains = 4, seed = 1,'
      cat; echo '}'; } >"$1.lua"
    "$program" run "$1.lua" --workers 1 --out "$1" >said 2>err || fault "$1: $(cat err)"
}
says() { grep -qE -- "$1" said || fault "$2: not printed: $1: $(cat said)"; }
silent() { grep -E -- "$1" said && fault "$2: $1"; }
has() { tr -d '\n' <"$2/summary.json" | grep -qE -- "$1" || fault "$2/summary.json has no $1"; }

# ---- one of two hills: the exact mean is 7.5 ----
go hills <<'E'
  target = cs.target { space = real(1), log_density = hills }, budget = { steps = 20000 }, screen = { "race" },
  arms = { nuts = K.nuts {}, pt = K.parallel_tempering { kernel = K.random_walk { step = 3 }, rungs = 6, hottest = 60 } }
E
apart='x\.1 differs between nuts and pt by 3[0-9](\.[0-9])? standard errors: at least one is wrong'
[ "$(grep -cE "^  $apart\$" said)" = 2 ] || fault "not printed for both arms: $(cat said)"
says '^x\.1 differs between `nuts` and `pt` by .* standard errors: at least one is wrong, and no arm leads\.$' race
silent 'leads `' 'a leader'
has '"disagreements": \[ *\{"figure": "mean", "of": "x.1", "arms": \["nuts", "pt"\], "exact_answer": false, "standard_errors": 3[0-9.]*, "figures": [3-9], "wrong": true\}\]' hills
[ "$(grep -cE "\"warnings\": .*$apart" hills/summary.json)" -ge 1 ] || fault "no warning in the JSON"
"$program" shot hills.lua --steps 20000 --size 110x40 --keys z >shot 2>err || fault "shot: $(cat err)"
grep -q 'disagrees with `nuts`' shot || fault "no cell on the screen: $(cat shot)"
[ "$(sed -n 2,3p shot | grep -c 'at least one is wrong')" = 1 ] || fault "a sentence is repeated: $(sed -n 2,3p shot)"

# ---- the target knows its modes and moments: compared with exact values ----
go exact <<'E'
  target = cs.target.mixture { means = { { 0 }, { 15 } } }, start = { { 0 }, { 0.1 }, { -1 }, { 1 } },
  budget = { steps = 5000 }, arms = { walk = K.random_walk { step = 1 } }
E
# There is one sentence per fault: a sentence about the distribution replaces
# the one about the mean.
says '^  x\.1 differs from its exact law by more than chance' exact
silent 'differs from the exact answer' 'the fault is told twice'
has '"exact_answer": true' exact

# ---- a biased arm is not reported ----
go biased <<'E'
  target = cs.target { space = real(1), log_density = function(x) return normal(x[1], 0, 1) end },
  budget = { steps = 20000 }, arms = { good = K.random_walk { step = 2.4 },
    off = K.parallel_tempering { kernel = K.random_walk { step = 2.4 }, rungs = 2, hottest = 2 },
    sgld = K.sgld { rate = 0.8 } }
E
silent 'at least one is wrong' 'biased arms are accused'
says '^  lp__ differs between good and sgld by [0-9.]* standard errors: sgld is not exact, and this is its bias$' biased
has '"figure": "mean", "of": "lp__", "arms": \["good", "sgld"\], .*"wrong": false' biased

# ---- good arms have no warnings ----
go good <<'E'
  target = cs.target.gaussian { dim = 4 }, budget = { steps = 4000 },
  arms = { nuts = K.nuts {}, walk = K.random_walk { step = 1.2 }, slice = K.slice {}, barker = K.barker { step = 1 } }
E
silent 'differs|differ from' 'good arms'
has '"disagreements": \[\]' good

# ---- the view changes no verdict: around the mass, much too wide, next to the mass ----
for view in 'nil' '{ -5, 5, -5, 5 }' '{ -300, 300, -300, 300 }' '{ 0, 1, 0, 1 }' '{ 5, 6, 5, 6 }'; do
    rm -rf view
    go view <<E
  target = cs.target { space = real(2), data = { x = { 1, 2, 3, 4 } }, view = $view,
    prior = function(b) return normal(b[1], 0.3, 0.1) + normal(b[2], 0.7, 0.1) end,
    term = function(b, row) return 0 * row.x * b[1] end },
  budget = { steps = 10000 }, arms = { nuts = K.nuts {} }
E
    silent 'differs from its exact law|differ from the exact distribution|the kernel is wrong' "view = $view"
    grep -q '"warnings": \[\]' view/summary.json || fault "view = $view: $(grep -o '"warnings.*' view/summary.json)"
done
# The possible error of the exact distribution is reported with the distance.
has '"distances": \{\}, "distances_off": \{\}' view

# ---- a minimum compares figures of the same draws: it does not decrease during the run ----
sizes() {
    go schools$1 <<E
  target = cs.target { params = { { mu = real() }, { tau = cs.positive() }, { eta = real(8) } },
    log_density = function(p) return normal(p.mu, 0, 5) + cs.lpdf.half_cauchy(p.tau, 5) + normal(p.eta, 0, 1) +
      normal({ 28, 8, -3, 7, -1, 1, 18, 12 }, p.mu + p.tau * p.eta, { 15, 10, 16, 11, 9, 11, 10, 18 }) end,
    generated = function(p) return { theta = p.mu + p.tau * p.eta } end },
  arms = { hmc = K.hmc { step = 0.3, leapfrogs = 8 } }, budget = { steps = $1 },
  claims = { { arm = "hmc", stat = "ess_per_work", at_least = 8 } }
E
    "$program" run schools$1.lua --workers 1 >said 2>err
    silent 'kept draws' "schools $1"
    says 'ess_per_work .*  holds' "schools $1"
}
sizes 100000
# All figures use all draws, also those of a lattice.
cat >ising.lua <<'E'
local cs = require "chainscope"
return cs.scenario { title = "sites", target = cs.target.ising { rows = 4, cols = 4, beta = 0.1 }, chains = 2, seed = 1,
  arms = { a = cs.kernel.gibbs {} }, budget = { steps = 40000 } }
E
"$program" run ising.lua --workers 1 >said 2>err
silent 'kept draws' ising

# ---- beyond the first 64 coordinates, and beyond 16 arms ----
# wide NAME SHIFT: runs 18 arms of independent draws with 70 coordinates. The last
# coordinate of the arm `off` is shifted by SHIFT.
wide() {
    { echo 'local cs = require "chainscope"
local function density(x) local s = 0 for i = 1, 70 do s = s - x[i]^2 / 2 end return s end
local function own(shift) return cs.kernel { log_q = function(x, y) return density(y) end,
  propose = function(x, draw)
    local y = {}
    for i = 1, 70 do y[i] = draw:normal() end
    y[70] = y[70] + shift
    return y end } end
local arms = { off = own('$2') }
for i = 1, 17 do arms["good" .. i] = own(0) end
return cs.scenario { title = "wide", chains = 2, seed = 1, budget = { steps = 400 },
  target = cs.target { space = cs.real(70), log_density = density }, arms = arms }'; } >"$1.lua"
    "$program" run "$1.lua" --workers 1 >said 2>err || fault "$1: $(cat err)"
}
wide coordinate_70 0.5
says '^  x\.70 differs between off and good17 by [0-9.]* standard errors: at least one is wrong$' 'coordinate 70'
wide coordinate_70_right 0
silent 'differs' 'coordinate 70'

# ---- few draws of a slow walk: jumps back and forth are not independent ----
scenarios="$(dirname "$0")/../../scenarios"
for steps in 150 300 450; do
    "$program" run "$scenarios/acs/25_modes.lua" --steps $steps >said 2>err || fault "$(cat err)"
    silent 'draws are wrong' "walk after $steps steps"
done

# ---- draws of a reference file for a probe ----
cat >reference.lua <<'E'
local cs = require "chainscope"
return cs.scenario { title = "reference", target = cs.target.ising { rows = 5, cols = 5, beta = 0.2 }, chains = 4, seed = 5,
  arms = { a = cs.kernel.gibbs {} }, budget = { steps = 20000 } }
E
sed 's/seed = 5/seed = 6, probes = { "acceptance", mmd = { file = "reference.csv" } }/' reference.lua >against.lua
for beta in 0.2 0.25; do
    rm -rf draws
    "$program" run reference.lua --set target.beta=$beta --out draws --thin 60 >said 2>err || fault "$(cat err)"
    { grep -hm 1 '^lp__' draws/a_1.csv; grep -h '^-\?[0-9]' draws/a_?.csv; } >reference.csv
    "$program" run against.lua >said 2>err || fault "$(cat err)"
    if [ $beta = 0.2 ]; then
        silent 'differs' 'draws of the same law'
    else
        says '^  lp__ differs from the reference draws by [0-9.]* standard errors' 'draws of another law'
    fi
done
exit $faults
