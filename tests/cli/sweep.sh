#!/bin/sh
# usage: sweep.sh PROGRAM SCENARIO
# Tests a sweep. Its figures are those of its runs, at equal work. Merged parts,
# and a sweep that was killed, equal the whole sweep. Parts that do not belong
# together are refused by name.
. "$(dirname "$0")/../support/runs.sh"

cat >walk.lua <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "Walk", target = cs.target.gaussian { dim = 2 }, chains = 4, seed = 7, warmup = 0,
  arms = { small = cs.kernel.random_walk { step = 0.4 }, mala = cs.kernel.mala { step = 0.4 } },
  budget = { steps = 2000 },
}
END

# exits CODE WORDS...: runs the program with these arguments and expects CODE;
# its output is in said and err.

# ---- the figures are those of the runs ---------------------------------------
over='--over small.step=0.2..3:log:3 --over chains=1,4'
exits 0 sweep walk.lua $over --out whole
mv said whole.txt
grep -q '8,000 steps of all its chains' whole.txt || fault "wrong work: $(cat whole.txt)"
exits 0 sweep walk.lua $over --out whole --resume -o whole.json
cat >ask.lua <<'END'
print(("%.17g %.17g"):format(run.arms.small:figure "ess", run.arms.small:figure "acceptance"))
END
for chains in 1 4; do
    steps=$((8000 / chains))
    printf 'run:step(%d)\n%s\n' $steps "$(cat ask.lua)" |
        "$program" repl walk.lua --set chains=$chains --set small.step=0.774597 --set steps=$steps |
        tail -n 1 >asked
    ess=$(awk '{ print $1 }' asked)
    acceptance=$(awk '{ print $2 }' asked)
    grep "\"small.step\": 0.774597, \"chains\": $chains" whole.json |
        awk -v e="$ess" -v a="$acceptance" '{
            x = $0; sub(/.*"ess": {"value": /, "", x); x += 0
            y = $0; sub(/.*"acceptance": {"value": /, "", y); y += 0
            exit !(e > 0 && x / e - 1 < 1e-5 && x / e - 1 > -1e-5 && y - a < 1e-5 && y - a > -1e-5) }' ||
        fault "$chains chains: $ess, $acceptance: $(grep 0.774597 whole.json)"
done
[ "$(grep -c '"best": true' whole.json)" = 1 ] || fault "not exactly one best point: $(cat whole.json)"
grep -q '"arm": "mala"' whole.json && fault "an arm without the parameter is accepted"

# ---- formats ----
for form in svg html md txt; do
    exits 0 sweep walk.lua $over --out whole --resume -o table.$form
    [ -s said ] && fault "$form: the file differs from stdout"
done
grep -q '^<svg' table.svg || fault "no SVG"
grep -q '<svg' table.html && grep -q '</table>' table.html || fault "no HTML"
[ "$(grep -c '^|' table.md)" = 8 ] || fault "Markdown: $(cat table.md)"
cmp -s table.txt whole.txt || fault "the text differs: $(diff table.txt whole.txt)"
if command -v python3 >null; then
    python3 - whole.json table.svg <<'END' || fault "wrong JSON or SVG"
import json, sys, xml.dom.minidom
all = json.load(open(sys.argv[1]))
assert len(all["points"]) == 6 and all["unit"] == "steps", all
assert {p["work"] for p in all["points"]} == {8000}
assert all["points"][0]["figures"]["ess"]["error"] is None  # one chain
assert all["points"][1]["figures"]["ess"]["by"] == "jackknife of 4 chains"
xml.dom.minidom.parse(sys.argv[2])
END
fi

# ---- unequal work: no stop rule ends a point before its budget, totals are not ranked ----
cat >hills.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "Two hills", target = cs.target.mixture { means = { { -4 }, { 4 } } },
  chains = 8, seed = 1, start = { -4 }, arms = { large = cs.kernel.random_walk { step = 8 } },
  budget = { steps = 4000 }, stop = { rhat = 1.01, ess = 400, arm = "large" } }
END
exits 0 sweep hills.lua --over large.step=1..20:log:6 --figures ess,ess_per_work
says 'each point: 32,000 steps'
says '^ess: large is best at large.step = 10.98'
says '^ess_per_work: large is best at large.step = 10.98'
exits 0 sweep walk.lua --over steps=500,4000 --set small.step=1 --arm small --figures ess,ess_per_work
says '^ess: the points of small are not ranked, since their work is unequal and ess grows with it; use --figures ess_per_work to rank them$'
says '^ess_per_work: small is best at'
[ "$(grep '^  [0-9]' said | tr -cd '*')" = '*' ] || fault "a star at unequal work: $(cat said)"
exits 0 sweep walk.lua --over steps=500,4000 --arm small --figures ess -o uneven.json
grep -q '"best": true' uneven.json && fault "JSON: a best at unequal work"

# ---- parts, merged or in one folder; killed and resumed ----
mkdir parts
for k in 3 1 2; do
    exits 0 sweep walk.lua $over --out parts/$k --part $k/3
    says "part $k of 3 is complete: 2 runs"
done
exits 0 merge walk.lua parts --out merged
cmp -s said whole.txt || fault "merged: $(diff said whole.txt)"
# All parts start at the same time.
for k in 1 2 3; do "$program" sweep walk.lua $over --out one --resume --part $k/3 2>>at_once & done
wait
[ "$(grep -c 'is complete: 2 runs' at_once)" = 3 ] || fault "at once: $(cat at_once)"
exits 0 sweep walk.lua $over --out one --resume
cmp -s said whole.txt || fault "in one folder: $(diff said whole.txt)"
long='--over small.step=0.2..3:log:5 --steps 30000 --jobs 2'
exits 0 sweep walk.lua $long --out long
mv said long.txt
for made in 0 1 3; do
    "$program" sweep walk.lua $long --out broken --resume >said 2>err &
    pid=$!
    until [ "$(find broken -name 'job_*' 2>null | wc -l)" -ge $made ] || ! kill -0 $pid; do sleep 0.02; done
    kill -KILL $pid 2>err
    wait $pid 2>err
done
exits 0 sweep walk.lua $long --out broken --resume
cmp -s said long.txt || fault "killed: $(diff said long.txt)"

# ---- ranks are parts ----
if command -v mpirun >null; then
    ranks 3 sweep walk.lua $over --out ranked --resume >said 2>err
    cmp -s said whole.txt || fault "ranks: $(cat err) $(diff said whole.txt)"
    # Runs that failed on any rank are run again.
    exits 1 sweep walk.lua --over small.step=1,2 --out failed --memory 1
    [ "$(grep -l '^failed' failed/job_* | wc -l)" = 2 ] || fault "1 MiB is enough"
    ranks 2 sweep walk.lua --over small.step=1,2 --out failed --resume >said 2>err ||
        fault "a failure of another rank is not run again: $(cat said err)"
fi

# ---- invalid parts ----
refuses() { # WHAT WORDS...: checks that merge fails with the message WHAT
    what=$1
    shift
    rm -rf refused
    exits 1 merge walk.lua "$@" --out refused
    says "$what"
    [ -e refused/plan ] && fault "$what: files remain"
}
refuses 'job 2 of 6 is missing' parts/1 parts/3
refuses 'job 1 is in both parts/1 and whole' parts whole
cp -R parts bad
head -c 100 bad/2/job_000002 >cut && mv cut bad/2/job_000002
refuses 'bad/2/job_000002: the file is truncated or damaged' bad
cp parts/2/job_000005 bad/2/job_000002
refuses 'the result belongs to another job' bad
cp parts/2/job_000002 bad/2/job_000002
sed 's/^version .*/version 0.0.9/' parts/2/plan >bad/2/plan
refuses "bad/2: the results are from another version" bad
exits 0 sweep walk.lua --over small.step=1,2 --out other
refuses 'other: the results are from another command' parts other
exits 1 sweep walk.lua $over --out whole
says 'whole already contains results.*--resume'
exits 1 sweep walk.lua --over small.step=1,3 --out other --resume
says "'--over=small.step=1,3' was '--over=small.step=1,2'"
sed 's/dim = 2/dim = 3/' walk.lua >changed && mv walk.lua kept.lua && mv changed walk.lua
exits 1 sweep walk.lua $over --out whole --resume
says 'the scenario has changed since the results were saved'
mv kept.lua walk.lua

# ---- messages; failures are reported, and the other runs continue ----
exits 2 sweep walk.lua
says 'no parameter to sweep'
exits 2 sweep walk.lua --over small.step=
exits 2 sweep walk.lua --over small.step
exits 2 sweep walk.lua --over small.step=2..1
for word in nan many; do
    exits 2 sweep walk.lua --over chains=$word
    says "'$word' is not a list of values"
done
exits 2 sweep walk.lua --over small.step=-1..1:log:3
says 'the logarithmic range'
exits 2 sweep walk.lua --over small.step=1 --over small.step=2
exits 2 sweep walk.lua --over small.step=1 --format jason
exits 1 sweep walk.lua --over small.step=1 --part 1/2
exits 1 sweep walk.lua --over smal.step=1
says "did you mean 'small'"
exits 1 sweep walk.lua --over small.step=1 --figures esss
says "there is no figure 'esss'"
exits 1 sweep walk.lua --over small.step=1,-1
says 'small.step = -1 failed: '
says '^  1  *small '
exits 0 sweep walk.lua --over target.scale=1,2 --set gradients=4000 --seeds 3 --arm mala
says '3 seeds each'
says 'spread of 3 seeds'
# Over several seeds, a row has the mean of the figures and its standard error.
exits 0 sweep walk.lua --over target.scale=1,2 --steps 400 --seeds 3 --arm mala --figures ess -o seeds.json
exits 0 sweep walk.lua --over target.scale=1,2 --over seed=7,8,9 --steps 400 --arm mala --figures ess -o each.json
if command -v python3 >null; then
    python3 - seeds.json each.json <<'END' || fault "seeds: $(cat seeds.json each.json)"
import json, statistics, sys
seeds, each = [json.load(open(f))["points"] for f in sys.argv[1:]]
for point in seeds:
    of = [p["figures"]["ess"]["value"] for p in each if p["target.scale"] == point["target.scale"]]
    ess = point["figures"]["ess"]
    assert len(of) == 3 and ess["freedom"] == 2, (of, ess)
    assert abs(ess["value"] / statistics.mean(of) - 1) < 1e-6, (of, ess)
    assert abs(ess["error"] / (statistics.stdev(of) / 3 ** 0.5) - 1) < 1e-6, (of, ess)
END
fi
exits 0 sweep walk.lua --over chains=1,2,3,4 --arm all --figures 'mean(1),rhat'
says '^  3  *mala '
"$program" sweep walk.lua $long --out stopped >said 2>err &
pid=$!
until [ -n "$(find stopped -name 'job_*' 2>null)" ] || ! kill -0 $pid; do sleep 0.02; done
kill -INT $pid 2>null
wait $pid
code=$?
[ $code = 130 ] || [ $code = 0 ] || fault "after Ctrl-C: exit $code: $(cat err)"
[ $code = 130 ] && says 'with --resume to continue'
exit $faults
