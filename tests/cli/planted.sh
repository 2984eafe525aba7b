#!/bin/sh
# usage: planted.sh PROGRAM SCENARIO
# Tests that check finds faults that users write, each by one law within 5
# seconds, and does not report kernels that are correct but unusual. Each fault
# is on a target on which the fault has an effect (planted/). Measured with 10
# seeds, each fault was found with all 10.
. "$(dirname "$0")/../support/begin.sh"
planted=$(dirname "$2")/planted

# found FILE LAW ARM ...: checks that this law is broken for each arm.
found() {
    file=$1 law=$2
    shift 2
    for arm; do
        "$program" check "$planted/$file.lua" --arm "$arm" --law "$law" >"$work/out" 2>"$work/err" &&
            fault "$file: $arm is not detected: $(cat "$work/out" "$work/err")"
        grep -q "^  $law  *BROKEN" "$work/out" || fault "$file: $arm is not broken by $law: $(cat "$work/out" "$work/err")"
    done
}
found gamma stationarity ratio_forgotten ratio_backwards
found exponential stationarity clipped redrawn
found normal stationarity unadjusted step_of_state one_uniform greedy
found normal record power_09
found normal again tuned_for_ever
found states transitions dropped proposed_unevenly
found pair stationarity looks_back wrong_conditional stale_pair leapfrog_unfinished kinetic_forgotten
found rows stationarity batch_ratio
found modes stationarity blind_swap
found ising stationarity informed_unweighted

# right FILE ARM ...: checks that all laws hold, in a short test of each arm.
right() {
    file=$1
    shift
    for arm; do
        "$program" check "$planted/$file.lua" --arm "$arm" --seconds 1 >"$work/out" 2>"$work/err" ||
            fault "$file: $arm is correct, but reported: $(cat "$work/out" "$work/err")"
    done
}
right gamma right
right exponential right right_reflected right_falls right_langevin
right normal right right_barker
right states right_line right_circle
right pair right_gibbs right_hmc
right rows right
right modes right
right ising right
exit $faults
