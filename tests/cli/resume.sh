#!/bin/sh
# usage: resume.sh PROGRAM SCENARIO
# Tests that a resumed run equals the uninterrupted run, or is refused with the
# names and both values of the settings that differ. Permitted changes take
# effect at the current step and are written to the journal.
. "$(dirname "$0")/../support/begin.sh"
draws() { grep -v -e Elapsed -e Sampling -e Total "$1"; }

# ---- the same bytes as without an interruption -------------------------------
# The parameters of a Lua kernel are in a table, whose order differs between
# processes. Changes of comments and line numbers are ignored.
cat >"$work/lua.lua" <<'END'
local cs = require "chainscope"
local function twice(x) return 2 * x end
scale = 0.5 -- a global of the script
local table_of = { a = { 1, 2, { b = true } }, [7] = "seven" }
-- COMMENT
local walk = cs.kernel {
  params = { step = 1.5, width = 0.25, alpha = 1, beta = 2, gamma = 3, delta = 4 },
  propose = function(x, draw, p)
    local y = {}
    for i = 1, #x do
      y[i] = x[i] + scale * p.step * draw:normal() + twice(p.width) * draw:normal() +
        1e-3 * table_of.a[2] * (p.alpha + p.beta - p.gamma) * draw:normal()
    end
    return y
  end,
}
return cs.scenario {
  title = "t", seed = 4, chains = 3, start = { 0.5, 0.5 },
  target = cs.target { name = "plain", space = cs.real(2), traced = false,
    log_density = function(x) return -0.5 * (x[1]^2 + x[2]^2) end },
  arms = { walk = walk,
    driven = cs.kernel.random_walk { step = function(k) return 1 + k % 7 / 10 end },
    tempered = cs.kernel.parallel_tempering { rungs = 2, kernel = walk } },
  budget = { steps = 600 }, warmup = 0,
  setup = function(run) run:at(250, function(r) r:arm("driven"):set("radius", 2) end) end,
}
END
same() {
    for file in "$work/whole"/*.csv; do
        name=$(basename "$file")
        draws "$file" >"$work/a"
        draws "$work/parts/$name" >"$work/b"
        cmp -s "$work/a" "$work/b" || fault "$1: $name differs"
    done
    for file in summary.json said; do
        cmp "$work/whole/$file" "$work/parts/$file" || fault "$1: $file differs"
    done
}
"$program" run "$work/lua.lua" --out "$work/whole" >"$work/said" || fault "it does not run"
mv "$work/said" "$work/whole"
for steps in 100 300 450 600; do
    sed "s/COMMENT/step $steps\n\n/" "$work/lua.lua" >"$work/again.lua"
    "$program" run "$work/again.lua" --out "$work/parts" --steps $steps \
        $([ $steps = 100 ] || echo --resume) >"$work/said" 2>"$work/err" ||
        fault "to step $steps: $(cat "$work/err")"
done
mv "$work/said" "$work/parts"
same "by parts"

# The elapsed time is summed over all resumed runs. It does not decrease if a
# resumed run has nothing left to do.
total() { sed -n 's/^# *\([0-9.e+-]*\) seconds (Total)/\1/p' "$work/parts/walk_1.csv"; }
before=$(total)
"$program" run "$work/again.lua" --out "$work/parts" --resume >"$work/null"
awk "BEGIN { exit !($before > 0 && $(total) >= 0.99 * $before) }" ||
    fault "elapsed time was $before s, and then $(total)"

# R-hat and effective sample sizes use all draws, as if the run had never been
# interrupted. Tested with written draws, with chains that are hot at some
# steps, with a warm-up, and with a chain that stops.
cat >"$work/judged.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "t", chains = 3, seed = 3, budget = { steps = 900 }, warmup = 100,
  strict = false,
  target = cs.target { space = cs.real(2), traced = false, log_density = function(x)
    if x[1] > 6 then return 0 / 0 end
    return -0.5 * (x[1]^2 + x[2]^2)
  end },
  arms = { st = cs.kernel.simulated_tempering { kernel = cs.kernel.random_walk { step = 2 }, learn = 50 },
           tuned = { kernel = cs.kernel.random_walk { step = 2 },
                     tuner = cs.tuner.acceptance { parameter = "step", acceptance = 0.4, steps = 500 } } },
}
END
in_two() {
    rm -r "$work/whole" "$work/parts"
    "$program" run "$work/$1.lua" --out "$work/whole" --thin $2 >"$work/said" 2>"$work/null"
    mv "$work/said" "$work/whole"
    "$program" run "$work/$1.lua" --out "$work/parts" --thin $2 --steps 600 >"$work/null" 2>"$work/null"
    "$program" run "$work/$1.lua" --out "$work/parts" --resume >"$work/said" 2>"$work/null"
    mv "$work/said" "$work/parts"
    same "$1, thin $2"
}
sed 's/strict = false/strict = true/; s/st = .*/plain = cs.kernel.random_walk { step = 2 },/' \
    "$work/judged.lua" >"$work/stops.lua"
in_two stops 1
grep -q '1 of 3 chains failed and are left out' "$work/parts/said" || fault "$(cat "$work/parts/said")"
in_two judged 1
in_two judged 3
grep -q 'all [0-9]* written draws per chain are used, one per 3 steps' "$work/parts/said" ||
    fault "the draws behind the figures are not named"
sed -i '100s/^/x/' "$work/parts/tuned_1.csv"
"$program" run "$work/judged.lua" --out "$work/parts" --resume >"$work/null" 2>"$work/err" &&
    fault "an invalid row is accepted"
grep -q 'tuned_1.csv:100: this is not a row of draws' "$work/err" || fault "an invalid row: $(cat "$work/err")"

# ---- another run -------------------------------------------------------------
# other SCENARIO WHAT TEXT [OPTION ...]: checks that after the change WHAT the run
# is refused with the message TEXT.
other() {
    file=$1 edit=$2 text=$3
    shift 3
    sed "$edit" "$work/$file.lua" >"$work/other.lua"
    "$program" run "$work/other.lua" --out "$work/$file" --steps 200 --resume "$@" \
        >"$work/null" 2>"$work/err"
    [ $? -eq 1 ] || fault "$file, $edit $*: resumed"
    grep -q -- "not the run that was saved: $text" "$work/err" ||
        fault "$file, $edit $*: $(cat "$work/err")"
}
begin() {
    sed 's/steps = 600/steps = 100/' "$work/$1.lua" >"$work/first.lua"
    "$program" run "$work/first.lua" --out "$work/$1" >"$work/null" || fault "$1 does not run"
}
begin lua
other lua 's/2 \* x/2.5 * x/' 'arm walk: propose was function .*, is function'
other lua 's/scale = 0.5/scale = 0.7/' 'arm walk: propose was'
other lua 's/b = true/b = false/' 'arm walk: propose was'
other lua 's/width = 0.25/width = 0.75/' 'arm walk: width was 0.25, is 0.75'
other lua 's/k % 7/k % 8/' 'arm driven: step was function .*, is function'
other lua 's/x\[1\]^2 + x/(x[1] - 50)^2 + x/' 'target: log_density was function'
other lua 's/start = { 0.5/start = { 0.25/' 'start.1.1 was 0.5, is 0.25'
other lua 's/"plain"/"other"/' 'target: name was plain, is other'
other lua 's/at(250/at(150/' 'script: setup was function'
other lua 's/driven = cs/renamed = cs/' 'arms was walk, driven, tempered, is walk, renamed'
other lua 's/seed = 4/seed = 4/' 'seed was 4, is 5' --seed 5
other lua 's/seed = 4/seed = 4/' 'arm walk: chains was 3, is 4' --chains 4
other lua 's/seed = 4/seed = 4/' 'thin was 1, is 7' --thin 7

cat >"$work/built.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "t", chains = 2, budget = { steps = 600 },
  target = cs.target.mixture { means = { { -4 }, { 4 } } },
  arms = { small = cs.kernel.random_walk { step = 1 },
           large = { kernel = cs.kernel.random_walk { step = 2 },
                     tuner = cs.tuner.acceptance { parameter = "step", acceptance = 0.4, steps = 60 } },
           driven = cs.kernel.mala { step = cs.schedule.cosine { max = 2, min = 1, period = 20 } } },
}
END
begin built
other built 's/{ 4 }/{ 5 }/' 'target: means.2 was 4, is 5'
other built 's/{ 4 }/{ 4 }, { 8 }/' 'target: means.length was 2, is 3'
other built 's/step = 1 /step = 3 /' 'arm small: step was 1, is 3'
other built 's/max = 2/max = 3/' 'arm driven: step was .*cosine { max = 2, .*, is .*cosine { max = 3'
other built 's/acceptance = 0.4/acceptance = 0.5/' 'arm large: tuner.acceptance was 0.4, is 0.5'
other built 's/seed/seed/' 'arm small: tuner.steps was 10, is 50' --warmup 50
other built 's/mala/hmc/' 'arm driven: kernel was mala, is hmc'

cat >"$work/traced.lua" <<'END'
local cs = require "chainscope"
local data = { 1, 2, 3 }
return cs.scenario {
  title = "t", chains = 2, budget = { steps = 600 },
  target = cs.target { params = { mu = cs.real() },
    log_density = function(p) return cs.lpdf.normal(data, p.mu, 2) end,
    generated = function(p) return { more = p.mu * 2 } end },
  arms = { a = cs.kernel.hmc { step = 0.5 } },
}
END
begin traced
other traced 's/{ 1, 2, 3 }/{ 101, 2, 3 }/' 'target: .*constant.* was .*1, is .*101'
other traced 's/p.mu, 2)/p.mu, 3)/' 'target: log_density'
other traced 's/p.mu, 2)/p.mu + cs.math.sin(p.mu), 2)/' 'target: log_density.operations was'
other traced 's/mu \* 2/mu * 3/' 'target: shown'
other traced 's/more =/less =/' 'target: column'

cat >"$work/term.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "t", chains = 2, budget = { steps = 600 },
  target = cs.target { params = { mu = cs.real() }, data = "data.csv",
    term = function(p, row) return -(row.y - p.mu)^2 / 2 end },
  arms = { a = cs.kernel.hmc { step = 0.1 } },
}
END
awk 'BEGIN { print "y"; for (i = 0; i < 300; i++) print i % 7 }' >"$work/data.csv"
begin term
sed -i '200s/.*/2.5/' "$work/data.csv"
other term 's/seed/seed/' 'target: data.column.1 was numbers'

# ---- permitted changes ----------------------------------------------------------
# The warm-up is a tenth of the first budget, which is ten steps, and stays the
# same.
again() { "$program" run "$work/built.lua" --out "$work/built" --resume "$@" >"$work/null" 2>"$work/err"; }
steps_of() { grep -v '^[#l]' "$work/built/$1_1.csv" | cut -d, -f3 | uniq -c | tr -s '\n ' ' '; }
again --steps 200 --set small.step=5 || fault "--set is refused: $(cat "$work/err")"
again --steps 300 --set small.step=5 --workers 2 || fault "the same --set is refused"
again --steps 400 || fault "a resume without --set is refused"
[ "$(steps_of small)" = " 90 1 300 5 " ] || fault "after --set: $(steps_of small)"
[ "$(grep -c ' value step ' "$work/built/journal.txt")" -eq 1 ] ||
    fault "the journal: $(cat "$work/built/journal.txt")"
grep -q '^100 .* value step 5$' "$work/built/journal.txt" || fault "--set is not in the journal"
grep -q '^100 run steps 200$' "$work/built/journal.txt" || fault "the budget is not in the journal"
again --steps 500 --warmup 0.2 --set small.step=1 || fault "setting the old value is refused"
[ "$(steps_of small)" = " 90 1 300 5 100 1 " ] || fault "after setting the old value: $(steps_of small)"
"$program" run "$work/built.lua" --out "$work/replayed" --replay "$work/built/journal.txt" \
    >"$work/null" || fault "the journal cannot be replayed"
for file in "$work/built"/*_1.csv; do
    draws "$file" >"$work/a"
    draws "$work/replayed/$(basename "$file")" >"$work/b"
    cmp -s "$work/a" "$work/b" || fault "$(basename "$file"): the journal makes another run"
done

for option in --resume --force '--thin 2' '--checkpoint 9'; do
    "$program" run "$work/built.lua" $option >"$work/null" 2>"$work/err" &&
        fault "$option without --out is ignored"
    grep -q -- "${option% *} needs --out" "$work/err" ||
        fault "$option: $(cat "$work/err")"
done

# ---- frequent checkpoints -------------------------------------------------------
# The run is killed at its 200th request to the disk, with a checkpoint at every
# opportunity. Work that was finished is not repeated, and the run continues to
# the same draws.
rm -rf "$work/often"
"$program" run "$work/built.lua" --out "$work/whole_now" --steps 400 >"$work/null" || fault "it does not run"
CHAINSCOPE_IOKILL=200 "$program" run "$work/built.lua" --out "$work/often" --steps 400 --checkpoint 0 \
    >"$work/null" 2>"$work/err" && fault "it is not killed"
grep -q 'killed by signal 9' "$work/err" || fault "killed: $(cat "$work/err")"
for file in "$work/often"/*_1.csv; do
    [ "$(draws "$file" | grep -c '^-*[0-9]')" -gt 0 ] || fault "no checkpoint before the default time"
done
"$program" run "$work/built.lua" --out "$work/often" --steps 400 --resume >"$work/null" || fault "it does not resume"
for file in "$work/often"/*.csv; do
    draws "$file" >"$work/a"
    draws "$work/whole_now/${file##*/}" | cmp -s - "$work/a" || fault "$file: the draws differ"
done
"$program" run "$work/built.lua" --out "$work/nothing" --resume >"$work/null" 2>"$work/err" &&
    fault "a run that never started was resumed"
grep -q 'nothing has no checkpoint to continue from: .* start without --resume' "$work/err" || fault "nothing: $(cat "$work/err")"
"$program" run "$work/built.lua" --out "$work/never" --checkpoint often >"$work/null" 2>"$work/err" &&
    fault "--checkpoint often is accepted"
grep -q -- '--checkpoint often is not a whole number' "$work/err" || fault "often: $(cat "$work/err")"

# ---- old or missing checkpoints -------------------------------------------------
printf 'CSKEPT1\n' | dd of="$work/built/checkpoint" conv=notrunc 2>"$work/null"
again --steps 600 && fault "an old checkpoint is accepted"
grep -q 'written by another version' "$work/err" || fault "old: $(cat "$work/err")"
rm "$work/lua/walk_2.csv"
"$program" run "$work/lua.lua" --out "$work/lua" --resume >"$work/null" 2>"$work/err" &&
    fault "a missing file is not reported"
grep -q 'walk_2.csv no longer exists' "$work/err" || fault "missing: $(cat "$work/err")"
# ---- random numbers of generated quantities ----------------------------------
cat >"$work/predicted.lua" <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "p", seed = 4, chains = 3, warmup = 0,
  target = cs.target { params = { mu = cs.real() },
    log_density = function(p) return -p.mu ^ 2 / 2 end,
    generated = function(p, rng) return { y = rng:normal(p.mu, 1), count = rng:poisson(2) } end },
  arms = { walk = cs.kernel.random_walk { step = 1 }, mala = cs.kernel.mala { step = 1 } },
  budget = { steps = 600 },
}
END
"$program" run "$work/predicted.lua" --out "$work/predicted" --workers 1 >"$work/null" || fault "no predictions"
"$program" run "$work/predicted.lua" --out "$work/half" --steps 257 --workers 3 >"$work/null" &&
    "$program" run "$work/predicted.lua" --out "$work/half" --resume >"$work/null" || fault "no resumed predictions"
for f in walk_1 walk_3 mala_2; do
    draws "$work/predicted/$f.csv" | grep '^[-0-9]' >"$work/a"
    draws "$work/half/$f.csv" | grep '^[-0-9]' >"$work/b"
    cmp -s "$work/a" "$work/b" || fault "$f.csv: the random numbers of a resumed run differ"
done
cut -d, -f 6 "$work/a" | sort | uniq -d | grep -q . && fault "a prediction occurs twice"
exit $faults
