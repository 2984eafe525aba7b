#!/bin/sh
# usage: replicas.sh PROGRAM SCENARIO
# Tests replicates in the background of a screen. Their figures are those of
# `run` with the same seeds. They are discarded when the run changes, and no
# process remains.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
cat >race.lua <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "Race", target = cs.target.gaussian { dim = 2 }, chains = 4, seed = 7,
  arms = { small = cs.kernel.random_walk { step = 0.4 },
           large = cs.kernel.random_walk { step = 1.7 } },
  budget = { steps = 4000 }, warmup = 0, screen = { "race" },
}
END
shot() { XDG_STATE_HOME=$work XDG_CACHE_HOME=$work "$program" shot race.lua --size 100x30 "$@"; }

# Prints the lowest ESS per 1000 evaluations of each arm, as "small 12.3".
figures() {
    awk '/"arm":/ { if (arm) print arm, 1000 * least / work; least = 1e99
                    arm = $0; sub(/.*"arm": "/, "", arm); sub(/".*/, "", arm)
                    work = $0; sub(/.*"steps": [0-9]*, "log_densities": /, "", work); work += 0 }
         /"ess":/ { x = $0; sub(/.*"ess": /, "", x); if (x + 0 < least) least = x + 0 }
         END { print arm, 1000 * least / work }' "$1/summary.json"
}
for seed in 8 9 10; do
    "$program" run race.lua --set seed=$seed --steps 1500 --out out$seed >said ||
        fault "seed $seed: $(cat said)"
    figures out$seed
done >figures.txt

# shown N FRAME: the frame shows the mean over N seeds that `run` has found.
shown() {
    for arm in small large; do
        want=$(grep "^$arm " figures.txt | head -n "$1" |
               awk '{ s += log($2) } END { print exp(s / NR) }')
        got=$(sed -n '/ over [0-9]* seeds* *mean/,$p' "$2" | grep -m 1 "[#o] $arm " | awk '{ print $3 }')
        awk "BEGIN { d = $got / $want - 1; exit !(d < 2e-3 && d > -2e-3) }" ||
            fault "$1 seeds, $arm: $got is not $want"
    done
}
shot --steps 1500 --keys ':replicate 2<enter>xx' >two.txt || fault "no replicates"
grep -q 'replicates: 2 of 2, 1,500 steps each' two.txt || fault "not two seeds: $(cat two.txt)"
grep -q 'mean of' two.txt && fault "an error from two seeds: $(cat two.txt)"
shown 2 two.txt
shot --steps 1500 --keys ':replicate 3<enter>xx' >three.txt
grep -q 'mean of 3 seeds' three.txt || fault "the mean is wrong: $(cat three.txt)"
tr -s '\n ' '  ' <three.txt | grep -q '`large` leads `small` .* over 3 seeds' || fault "no leader: $(cat three.txt)"
shown 3 three.txt

# A run that has not started, and a run that has ended, have replicates with the
# whole budget.
shot --steps 0 --keys ':replicate 1<enter>.' >budget.txt
grep -q 'replicates: 1 of 1$' budget.txt || fault "not the whole budget: $(cat budget.txt)"
gone() { # KEYS WORDS: checks that these keys discard the replicates, with these words
    shot --steps 500 --keys ":replicate 1<enter>$1m" >gone.txt
    grep -q "$2" gone.txt || fault "$1: not discarded: $(cat gone.txt)"
    grep -q 'replicates: ' gone.txt && fault "$1: still shown"
}
gone ':set small.step 0.5<enter>' 'replicates are dropped'
gone ':arm drop small<enter>' 'replicates are dropped'
gone ':open race.lua chains=3<enter>' 'replicates are dropped'
gone ':replicate 0<enter>' 'replicates stopped and discarded'
shot --steps 500 --keys ':replicate 1<enter>.>R' | grep -q 'replicates: 1 of 1' ||
    fault "steps discard the replicates"

# In a background sweep the points are runs with the value of the point.
shot --steps 1500 --keys ':sweep small.step=0.4,1.7<enter>xx' --size 100x46 >sweep.txt || fault "no sweep"
grep -q 'small.step: 2 of 2 runs, 1,500 steps each' sweep.txt || fault "no results of the sweep: $(cat sweep.txt)"
grep -q '[0-9]  *small.step ' sweep.txt || fault "no axis: $(cat sweep.txt)"
shot --steps 500 --keys ':sweep small.step=1,2<enter>:arm drop large<enter>m' |
    grep -q 'the sweep is dropped: another run was opened' || fault "a sweep of another run is shown"
shot --steps 500 --keys ':sweep small.stop=1,2<enter>m' | grep -q 'the sweep has ended: .*stop' ||
    fault "an unknown parameter is accepted"
shot --steps 500 --keys ':sweep small.step=0.1..2:201<enter>m' | grep -q 'at most 200 values' ||
    fault "201 values are accepted"
shot --steps 500 --keys ':replicate 201<enter>m' | grep -q 'at most 200 replicates' ||
    fault "201 replicates are accepted"
exit $faults
