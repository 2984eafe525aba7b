# Functions shared by the tests of bad runs; sourced with `.`.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0
fault() { echo "$*"; faults=1; }

# go NAME: runs the scenario on stdin and extracts the warnings of its arms.
go() {
    name=$1
    { echo 'local cs = require "chainscope"
local K, target, real, log, exp = cs.kernel, cs.target, cs.real, cs.math.log, cs.math.exp
local walk, hmc, gaussian = K.random_walk, K.hmc, cs.target.gaussian
local function two_hills(x) return cs.math.log_sum_exp { -(x[1] + 10)^2 / 2, -(x[1] - 10)^2 / 2 } end
return cs.scenario { title = "bad", seed = 1, budget = { steps = 2000 },'
      cat; echo '}'; } >"$work/$name.lua"
    "$program" run "$work/$name.lua" --workers 1 --out "$work/$name" $more >"$work/said" 2>"$work/err"
    code=$?
    [ -s "$work/said" ] || [ "$refuses" ] || fault "$name: $(cat "$work/err")"
    [ -e "$work/$name/summary.json" ] || return
    # keep only the warnings; other fields of the JSON are not tested
    grep -o '"warnings": \[.*\], "distances\|"warnings": \[.*\], "modes' "$work/$name/summary.json" >"$work/json"
}
# bad NAME WARNING [ARGUMENTS]: fails unless the warning is printed and in the JSON.
bad() {
    more=$3
    go "$1"
    grep -qE -- "$2" "$work/said" || fault "$1: not printed: $2: $(cat "$work/said")"
    grep -qE -- "$2" "$work/json" || fault "$1: not in summary.json: $2"
}
# first NAME WARNING [ARGUMENTS]: as `bad`; the warning must be the first one.
first() {
    bad "$1" "$2" "$3"
    grep -qE -- "^\"warnings\": \[\"[^\"]*$2" "$work/json" ||
        fault "$1: not the first warning: $2: $(cat "$work/json")"
}
good() {
    more=
    go "$1"
    [ "$code" = 0 ] || fault "$1: exit $code"
    grep -q '"warnings": \[\]' "$work/json" || fault "$1: unexpected warnings: $(cat "$work/json")"
}

