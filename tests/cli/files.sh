#!/bin/sh
# usage: files.sh PROGRAM SCENARIO
# Tests the files written by `run`: draws of every kernel in the format of
# common readers, one process per folder, and clear messages if nothing can be
# written.
. "$(dirname "$0")/../support/begin.sh"
here=$(dirname "$0")

# ---- requirements of readers ----------------------------------------------
# For ArviZ columns are NAME or NAME.1.2, and rows are numbers. For rstan the
# header has thin, id, num_warmup, save_warmup and the engine of an hmc, there
# are num_samples / thin rows and a line with the elapsed time, and numbers have
# R's syntax. For both, comments begin with #.
rules='
function bad(what) { print FILENAME ": " what; exit }
/^#/ {
    if (engine && !/engine = static/) { if (!/^# *hmc *$/) bad("an hmc without engine") }
    else engine = 0
    if (/algorithm = hmc$/) engine = 1
    if (match($0, /= */)) { key = $0; sub(/ *=.*/, "", key); sub(/^# */, "", key)
        value = $0; sub(/[^=]*= */, "", value); sub(/ *$/, "", value); head[key] = value }
    elapsed += /Elapsed Time: [0-9.e+-]+ seconds \(Warm-up\)/
    next
}
!header {
    header = NF = split($0, name, ",")
    if (name[1] != "lp__") bad("the first column is " name[1])
    for (i = 1; i <= header; i++)
        if (name[i] !~ /^[A-Za-z][A-Za-z0-9_]*(\.[1-9][0-9]*)*$/ || seen[name[i]]++)
            bad("a column is called " name[i])
    next
}
{
    rows++
    if (split($0, cell, ",") != header) bad("row " rows " has another width")
    for (i = 1; i <= header; i++)
        if (cell[i] !~ /^-?[0-9]+(\.[0-9]+)?(e[+-][0-9]+)?$/ &&
            cell[i] !~ /^(NaN|-?Inf)$/) bad("row " rows " has " cell[i])
}
END {
    n = split(FILENAME, part, "_"); number = part[n]; sub(/\.csv/, "", number)
    if (head["id"] != number) print FILENAME ": id is " head["id"]
    if (head["num_samples"] != rows * head["thin"])
        print FILENAME ": " rows " rows, num_samples " head["num_samples"] ", thin " head["thin"]
    if (head["save_warmup"] !~ /^[01]$/ || head["num_warmup"] !~ /^[0-9]+$/)
        print FILENAME ": no warm-up is told"
    if (elapsed != 1) print FILENAME ": no elapsed time"
}'
rules() {
    for file in "$1"/*.csv; do awk "$rules" "$file"; done >"$work/broken"
    [ -s "$work/broken" ] && fault "$(cat "$work/broken")"
}
# The same requirements are checked by those R packages that are installed.
readers() {
    command -v Rscript >"$work/null" || return
    Rscript --vanilla "$here/readers.R" "$@" >"$work/R" 2>"$work/err"
    grep -qx R "$work/R" || fault "R fails: $(cat "$work/err")"
    grep -vx R "$work/R" >"$work/broken" && fault "$(cat "$work/broken")"
}

# Runs every kernel on one of these targets. One arm has a warm-up, and one
# changes to a kernel with other columns during the run.
cat >"$work/all.lua" <<'END'
local cs = require "chainscope"
local of = REAL and { "random_walk", "mala", "barker", "h2mc", "hmc", "nuts", "sgd", "momentum_sgd", "sgld",
  "sghmc", "psgld", "csgld", "csghmc",
  "replica_exchange_sgld", "slice", "slice_direction", "independence",
  "metropolis_within_gibbs" } or BITS and {
  "gibbs", "hamming_ball", "locally_balanced", "gwg", "dula", "dmala",
  "any_scale", "path_auxiliary", "dlmc", "edula", "edmala", "edula_glu", "edmala_glu" } or
  PARTS and { "block_gibbs" } or ROWS and { "austerity", "firefly",
    "poisson_mh", "poisson_mala", "poisson_barker", "tuna_mh", "tuna_sgld" } or
  DATA and { "exchange" } or
  { "swendsen_wang", "wolff" }
local arms = {}
for _, name in ipairs(of) do arms[name] = cs.kernel[name] {} end
if REAL then
  arms.hmc = { kernel = cs.kernel.hmc { step = 0.3 }, tuner = cs.tuner.acceptance {} }
  arms.elliptical_slice = cs.kernel.elliptical_slice { sd = 1 }
  arms.stretch = { kernel = cs.kernel.stretch {}, chains = 4 }
  local inner = cs.kernel.random_walk { step = 1 }
  arms.parallel_tempering = cs.kernel.parallel_tempering { kernel = inner }
  arms.simulated_tempering = cs.kernel.simulated_tempering {
    kernel = inner, rungs = 3, hottest = 3, swap_interval = 2, learn = 500 }
  arms.samc = cs.kernel.samc { kernel = inner }
  arms.wang_landau = cs.kernel.wang_landau { kernel = inner, of = "sum" }
  arms.multicanonical = cs.kernel.multicanonical { kernel = inner, learn = 500, every = 50 }
end
return cs.scenario {
  title = "All kernels", seed = 3, chains = 2, arms = arms, budget = { steps = 3000 },
  target = REAL and cs.target { name = "two of them", space = cs.real(2),
      log_density = function(x) return -0.5 * (x[1]^2 + x[2]^2) end } or
    BITS and cs.target.bernoulli4 {} or PARTS and cs.target.rbm { visible = 6, hidden = 4 } or
    ROWS and cs.target.robust_regression { dim = 2 } or
    DATA and cs.target.ising_parameter { rows = 4 } or cs.target.ising { rows = 4, cols = 4 },
  setup = function(run)
    if REAL then
      run:at(2000, function(r) r:arm("mala"):use(cs.kernel.random_walk { step = 1 }) end)
    end
  end,
}
END
seen=
for kind in REAL BITS PARTS ROWS DATA BONDS; do
    sed "s/^local of/local $kind = true\n&/" "$work/all.lua" >"$work/$kind.lua"
    "$program" run "$work/$kind.lua" --out "$work/$kind" --thin 3 >"$work/null" ||
        fault "the kernels of $kind do not run"
    rules "$work/$kind"
    seen="$seen $(cd "$work/$kind" && ls ./*_1.csv)"
done
# Parameters of all kinds, and columns of members in a cycle and in a member of it.
cat >"$work/kinds.lua" <<'END'
local cs = require "chainscope"
local M, kernel = cs.math, cs.kernel
return cs.scenario { title = "all kinds", seed = 3, chains = 2, budget = { steps = 60 },
  target = cs.target { params = { { b = cs.bit(2) }, { z = cs.label(3, 3) }, { k = cs.integer(-2, 5) },
      { c = cs.count(2, 9) }, { s = cs.positive() }, { L = cs.cholesky_corr(2) } },
    log_density = function(p) return -p.s - M.sum(p.z) * p.b[1] - 0.1 * p.k - M.sum(p.c) end,
    generated = function(p, rng) return { n = M.sum(p.z), y = rng:normal(p.k, p.s) } end },
  warmup = 20,
  arms = { auto = kernel.auto {}, mixed = kernel.mixture {
    kernel.cycle { kernel.nuts { on = { "s", "L" } }, name = "inner" }, kernel.gibbs { on = "b", name = "b" },
    kernel.gibbs { on = "z", name = "z" }, kernel.gibbs { on = "k", name = "k" }, kernel.gibbs { on = "c", name = "c" } } } }
END
"$program" run "$work/kinds.lua" --out "$work/kinds" >"$work/null" || fault "a model with all kinds does not run"
"$program" run "$work/kinds.lua" --save-warmup --out "$work/warm" >"$work/null" || fault "its warm-up is not saved"
rules "$work/kinds"
grep -q 'inner__s_L__treedepth__' "$work/kinds/mixed_1.csv" || fault "columns of members: $(grep lp__ "$work/kinds/mixed_1.csv")"
readers "$work/kinds" "$work/warm" "$work/REAL" "$work/BITS" "$work/PARTS" "$work/ROWS" "$work/DATA" "$work/BONDS"
for kernel in $("$program" list kernels | awk 'NR > 1 { print $1 }'); do
    case $seen in *"/${kernel}_1.csv"*) ;; *) fault "no draws of $kernel" ;; esac
done

# ---- names ------------------------------------------------------------------
cat >"$work/name.lua" <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", budget = { steps = 10 },
  target = cs.target { name = NAME, space = cs.real(1), log_density = function(x) return -x[1]^2 end },
  arms = { a = cs.kernel { params = PARAMS, propose = function(x) return x end } } }
END
# named NAME PARAMS: runs a target with this name and a kernel with these
# parameters.
named() {
    sed -e "s/NAME/$1/" -e "s/PARAMS/$2/" "$work/name.lua" >"$work/named.lua"
    "$program" run "$work/named.lua" --out "$work/named" >"$work/null" 2>"$work/err"
}
named '"m\\n# id = 9\\nevil"' '{}' && fault "a target's name with a line break"
grep -q 'is not a valid name' "$work/err" || fault "the wrong name is not reported: $(cat "$work/err")"
named '"a,b"' '{}' && fault "a target's name with a comma"
named '"one two"' '{ ["a,b"] = 1 }' && fault "a parameter's name with a comma"
named '"one two"' '{ ["a\\nb"] = 1 }' && fault "a parameter's name with a line break"
named '"one two"' '{ a_1 = 1 }' || fault "valid names are refused: $(cat "$work/err")"

# ---- one process per folder ---------------------------------------------------
# The first process is stopped by a signal while the second one tries to use the
# folder, so the first process cannot end or write during this time.
sed -e 's/steps = 20000/seconds = 1/' "$2" >"$work/long.lua"
"$program" run "$work/long.lua" --out "$work/d" --thin 50 >"$work/null" 2>"$work/first" &
first=$!
for i in $(seq 100); do [ -s "$work/d/lock" ] && break; sleep 0.02; done
writer=$(cat "$work/d/lock")
kill -STOP "$writer"
"$program" run "$2" --seed 8 --force --out "$work/d" >"$work/null" 2>"$work/err"
[ $? -eq 1 ] || fault "two processes write to one folder"
grep -q "another process is writing to .*: process $writer\>" "$work/err" ||
    fault "the writing process is not named: $(cat "$work/err")"
kill -CONT "$writer"
wait $first || fault "the first process was disturbed: $(cat "$work/first")"
[ -e "$work/d/lock" ] && fault "the lock remains"
rules "$work/d"
"$program" run "$2" --seed 8 --force --out "$work/d" >"$work/null" || fault "the lock is still held"

# ---- messages -----------------------------------------------------------------
# told TEXT ARGUMENTS: checks that the arguments are refused with the message
# TEXT.
told() {
    text=$1
    shift
    timeout 20 "$program" run "$@" >"$work/null" 2>"$work/err"
    [ $? -eq 1 ] || fault "$*: wrong exit code"
    grep -q -- "$text" "$work/err" || fault "$*: $(cat "$work/err")"
}
: >"$work/file"
mkdir "$work/pipe" && mkfifo "$work/pipe/a_1.csv"
told 'is empty: give a name' "$2" --out ''
told 'create the folder first: mkdir -p' "$2" --out "$work/x/y"
told 'is not a folder: choose' "$2" --out "$work/file"
told 'already contains a run' "$2" --out "$work/pipe"
told 'the path is a pipe without a reader' "$2" --out "$work/pipe" --force

# ---- budgets ---------------------------------------------------------------------
cat >"$work/budget.lua" <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", target = cs.target.gaussian { dim = 2 },
  arms = { w = cs.kernel.KERNEL { step = 0.5 } }, budget = { UNIT = 1000 } }
END
budget() {
    sed -e "s/KERNEL/$1/" -e "s/UNIT/$2/" "$work/budget.lua" >"$work/budgeted.lua"
    echo "$work/budgeted.lua"
}
told 'random_walk of arm w uses no gradients: .*log_densities' "$(budget random_walk gradients)"
told 'mala of arm w uses no log densities: .*gradients' "$(budget mala log_densities)"
told 'uses no data terms' "$(budget hmc data_terms)"
"$program" run "$(budget hmc gradients)" >"$work/null" || fault "a budget with an end is refused"
"$program" run "$(budget random_walk gradients)" --steps 10 >"$work/null" ||
    fault "--steps does not end the run"
exit $faults
