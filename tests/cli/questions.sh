#!/bin/sh
# usage: questions.sh PROGRAM SCENARIO, in a repository with the gallery
# Tests six questions of a user. Each is answered by one screen after a few
# keys.
export LC_ALL=C.UTF-8
program=$1 scenarios=$(dirname "$2")/../../scenarios
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
cd "$work" || exit 1

# ask QUESTION WORDS SCENARIO STEPS KEYS: checks that the screen shows the answer
# after these steps and keys. WORDS is an extended regular expression.
ask() {
    XDG_STATE_HOME=$work XDG_CACHE_HOME=$work "$program" shot "$scenarios/$3.lua" --size 120x40 \
        --steps "$4" --keys "$5" >seen.txt || exit 1
    sed 's/│/ /g' seen.txt | tr -s '\n ' '  ' | grep -qE "$2" && return
    echo "$1"
    cat seen.txt
    faults=1
}

ask "Which of three step sizes is best, and why?" \
    '`right` leads `small` [0-9]+x .*; `large` has fewer than two effective draws per chain.*accepted.*right .* 0\.[23].*small .* 0\.9[0-9]*.*large .* 0 ' \
    start/02_step_size 4000 X
ask "Why does HMC fail in the funnel?" \
    'steps diverged .*the chains may not reach a part of the target.*E-BFMI is 0\.[0-2].*other coordinates' \
    start/05_funnel 3000 ':layout summary<enter>'
ask "At which step did chain 3 of acs first enter mode 7, and what was that decision?" \
    'chain 3 of !?acs, step ([0-9,]+) .*log q.*accepted u = [0-9.]+ is below min\(1.*breakpoint 1 at step [0-9,]+: chain 3 of arm acs: first visit to mode 7' \
    acs/25_modes 0 ':break mode acs 3 7<enter><space>z'
ask "DMALA against Gibbs on an Ising lattice at equal work, as a picture for a slide" \
    '`gibbs` and `dmala` find .*`dmala` has fewer than two effective draws per chain.*screenshot written to .*/race.svg' \
    targets/ising 1000 ':arm add dmala step=0.2<enter>:arm drop clusters<enter>:arm drop wolff<enter>:unit seconds<enter>X:screenshot race.svg<enter>'
grep -q '<svg' race.svg || faults=1
ask "What happens to both when the temperature falls?" \
    'target.beta = 0.6 from step 1,000.*draws begin at this step|C change 1' \
    targets/ising 1000 ':arm add dmala step=0.2<enter>:arm drop clusters<enter>:arm drop wolff<enter>:set target.beta=0.6<enter>:step 500<enter>X'
ask "Is the contour sampler's gain worth its price on nine modes?" \
    'contour.*distance from exact at .* evaluations per chain; none is exact' \
    csgld/nine_modes 20000 Xooo
exit $faults
