#!/bin/sh
# usage: diff.sh PROGRAM SCENARIO
# Tests the comparison of two runs in their folders: settings that differ, the
# first draws that differ, and the means.
export LC_ALL=C.UTF-8
. "$(dirname "$0")/../support/begin.sh"
scenario=$2
cd "$work" || exit 1

cat >pair.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", shows = "s", chains = 4, seed = 1,
  target = cs.target.gaussian { dim = 2 },
  arms = { a = cs.kernel.random_walk { step = 1 }, b = cs.kernel.mala { step = 1 } } }
END
sed 's/mala { step = 1 }/mala { step = 0.9 }/' pair.lua >other.lua
sed 's/gaussian { dim = 2 }/gaussian { dim = 2, covariance = { { 1, 0 }, { 0, 9 } } }/' pair.lua >wide.lua
make() { "$program" run "$@" >log 2>&1 || { cat log; fault "run $*"; }; }
make pair.lua --steps 2000 --out one
make pair.lua --steps 2000 --out again --workers 1
make pair.lua --steps 2000 --out seed --seed 2
make other.lua --steps 2000 --out other
make wide.lua --steps 2000 --out wide
# If a parameter was changed during one run, the draws are equal up to that step.
printf ':out late\nrun:step(500)\n:set a.step 2\nrun:step(1500)\n:out\n' |
    "$program" repl pair.lua >log 2>&1
printf ':out plain\nrun:step(2000)\n:out\n' | "$program" repl pair.lua >log 2>&1

# says WANT FOLDERS: checks that diff prints the line WANT for FOLDERS.
says() {
    want=$1
    shift
    "$program" diff "$@" >got 2>err || { cat err; fault "diff $*"; }
    grep -qE -- "$want" got || { cat got; fault "diff $*: no '$want'"; }
}
says '^  none differ$' one again
says '^a .* the same draws$' one again
says '^  a: the draws are equal bit for bit.*1800 per chain' one again
says '^  seed: 1 -> 2$' one seed
says '^  a: all draws differ from the first on' one seed
says '^a  *x.1 .* alike$' one seed
says '^  arm b: step = 1 -> 0.9|arm b: step: 1 -> 0.9' one other
says '^  a: the draws are equal' one other
says '^  b: all draws differ' one other
says 'covariance' one wide
says '^  changed only in the second run: at step 500, a: value step 2$' plain late
says '^  a: the first 500 draws are equal, then chain 1 differs \(step 501' plain late
says '^  b: the draws are equal' plain late
# A different mean is detected: that of N(5, 1).
sed 's/gaussian { dim = 2 }/gaussian { dim = 2, mean = { 5, 0 } }/' pair.lua >off.lua
make off.lua --steps 2000 --out off
says '^a  *x.1 .* differ$' one off
says '^a  *x.2 .* (alike|perhaps)' one off

# Journals, which have settings and changes, and recordings are compared in the
# same way.
says '^first: *plain/journal.txt, a journal$' plain/journal.txt late/journal.txt
says '^  changed only in the second run: at step 500, arm 1: value step 2$' plain/journal.txt late/journal.txt
says '^  warmup: - -> 200$' plain/journal.txt one/journal.txt
says '^  Not compared: a journal has no draws. .* chainscope run FILE.cast' plain/journal.txt late
"$program" diff plain/journal.txt late/journal.txt --format markdown >got && grep -q 'at step 500, arm 1' got || fault "no Markdown of journals"
"$program" diff plain/journal.txt late/journal.txt --format json >got || fault "no JSON of journals"
python3 -m json.tool got >/dev/null 2>&1 || ! command -v python3 >/dev/null || fault "no JSON: $(cat got)"
"$program" diff one one/checkpoint 2>err && fault "a checkpoint was accepted"
grep -q 'one/checkpoint is a checkpoint.*:load' err || fault "$(cat err)"
"$program" diff one pair.lua 2>err && fault "a scenario was accepted"
grep -q 'pair.lua is not a folder of a run' err || fault "$(cat err)"

# Chains are compared by their numbers.
cp -r one three && rm three/a_2.csv three/manifest
says '^  a: the draws are equal bit for bit.*; 1 chain is in only one run$' one three
# Any number of arms can be compared.
cat >many.lua <<'END'
local cs = require "chainscope"
local arms = {}
for i = 1, 70 do arms[("a%02d"):format(i)] = cs.kernel.random_walk { step = 1 } end
return cs.scenario { title = "t", shows = "s", chains = 1, target = cs.target.gaussian { dim = 1 }, arms = arms }
END
make many.lua --steps 60 --out many
says '^  a70: the draws are equal' many many

"$program" diff one other --format json >got || fault "no JSON"
python3 -m json.tool got >/dev/null 2>&1 || ! command -v python3 >/dev/null || fault "no JSON: $(cat got)"
"$program" diff one other --format markdown -o got.md || fault "no Markdown"
grep -q '^| a | x.1 |' got.md || fault "no table"
"$program" diff one other -o got.csv && grep -q '^a,x.1,.*,same$' got.csv || fault "no CSV by its ending"
"$program" diff one other --format latex >got && grep -q '^.begin{tabular}{llrrrrrl}' got || fault "no LaTeX"
"$program" diff one other -o got.md 2>/dev/null && fault "a file was overwritten"
"$program" diff one nowhere 2>err && fault "a missing folder was accepted"
grep -q 'nowhere/summary.json.*--out' err || fault "$(cat err)"
"$program" diff one 2>/dev/null && fault "a single folder was accepted"
"$program" diff one other --format pdf 2>/dev/null
[ $? -eq 2 ] || fault "pdf was accepted as a format"
rm again/manifest && echo '{"arms": [' >again/summary.json
"$program" diff one again 2>err && fault "an incomplete summary was accepted"
grep -q 'again/summary.json:[0-9]' err || fault "$(cat err)"

# Several files a side are the chains of one arm.
cp one/a_1.csv p_1.csv
cp one/a_2.csv p_2.csv
cp seed/a_2.csv q_2.csv
says '^  draws: the draws are equal bit for bit.*1800 per chain' p_1.csv,p_2.csv 'again=one/a_1.csv,one/a_2.csv'
grep -q '^second: again' got || fault "no name of the second run: $(cat got)"
says '^  draws: all draws differ from the first on' p_1.csv,p_2.csv p_1.csv,q_2.csv
says '^  draws: .*equal.*; 1 chain is in only one run' p_1.csv,p_2.csv p_1.csv
says '^draws *x.1 ' p_1.csv,p_2.csv p_1.csv,q_2.csv
"$program" diff p_1.csv,nowhere.csv p_1.csv 2>err && fault "a missing file of a list was accepted"
grep -q 'nowhere.csv' err || fault "$(cat err)"
"$program" diff "$(printf 'p_1.csv,%.0s' $(seq 400))$(printf 'a,%.0s' $(seq 112))a" p_1.csv 2>err && fault "513 files were accepted"
grep -q 'more than 512 files' err || fault "the files of a list were left out: $(cat err)"
"$program" diff p_1.csv,pair.lua p_1.csv 2>err && fault "a scenario in a list was accepted"
grep -q 'pair.lua is not a file of draws' err || fault "$(cat err)"

# Files that do not start at the first draw are compared with the same draws of
# the other run. Such files are written after a recording was played to its end.
cat >part.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", shows = "s", chains = 2, seed = 4, warmup = 50,
  target = cs.target.gaussian { dim = 2 }, budget = { steps = 400 },
  arms = { a = cs.kernel.random_walk { step = 1 } } }
END
for thin in 1 3; do
    rm -rf whole later other
    printf ":out whole thin=$thin\nrun:step(250)\n:out\n" | "$program" repl part.lua >/dev/null 2>&1
    printf "run:step(150)\n:out later thin=$thin\nrun:step(100)\n:out\n" | "$program" repl part.lua >/dev/null 2>&1
    printf "run:step(150)\n:out other thin=$thin\nrun:step(40)\n:set a.step 2\nrun:step(60)\n:out\n" | "$program" repl part.lua >/dev/null 2>&1
    "$program" diff whole later >log 2>&1
    from=$((100 / thin + 1)) # of 200 draws after a warm-up of 50
    grep -qF "the draws are equal bit for bit, up to the shorter run ($((200 / thin - 100 / thin)) per chain in both runs, from draw $from on)" log ||
        { cat log; fault "files that start later, thin $thin"; }
    "$program" diff other whole >log 2>&1
    grep -qF "the first $((140 / thin - 100 / thin)) draws in both runs, from draw $from on are equal, then" log ||
        { cat log; fault "files that start later and differ, thin $thin"; }
done

# If a chain draws from the target only at some of its steps, draws of different
# steps are not compared. Runs are not called equal if nothing was compared.
sed 's/random_walk { step = 1 }/simulated_tempering { kernel = cs.kernel.&, rungs = 3, hottest = 4, swap_interval = 2, learn = 20 }/' \
    part.lua >tempered.lua
rm -rf whole later none
printf ':out whole\nrun:step(350)\n:out\n' | "$program" repl tempered.lua >/dev/null 2>&1
printf 'run:step(150)\n:out later\nrun:step(200)\n:out\n' | "$program" repl tempered.lua >/dev/null 2>&1
"$program" diff whole later >log 2>&1
grep -qF 'a: one run was resumed and records draws only at some steps' log ||
    { cat log; fault "draws of a tempered chain are assigned to steps"; }
printf ':out none\nrun:step(50)\n:out\n' | "$program" repl part.lua >/dev/null 2>&1
printf ':out some\nrun:step(60)\n:out\n' | "$program" repl part.lua >/dev/null 2>&1
"$program" diff none some >log 2>&1
grep -qF 'a: the runs have no draws in common' log || { cat log; fault "missing draws are called equal"; }
exit $faults
