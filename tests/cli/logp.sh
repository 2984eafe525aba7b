#!/bin/sh
# usage: logp.sh PROGRAM
# Tests a kernel that estimates log p from a batch. The files, the summary and
# its JSON report this. The evaluations of log p for probes are counted
# separately, and a run that is resumed or replayed has the same counts.
. "$(dirname "$0")/../support/begin.sh"

scenario() { # PROBES: writes part.lua with these probes
    cat >"$work/part.lua" <<END
local cs = require "chainscope"
local y = {}
for i = 1, 50 do y[i] = math.sin(i) end
return cs.scenario {
  title = "a part", shows = "estimates of log p", chains = 2, seed = 4, warmup = 0,
  target = cs.target { params = { mu = cs.real() }, data = { y = y },
    prior = function(p) return -p.mu^2 / 8 end,
    term = function(p, row) return -(row.y - p.mu)^2 / 2 end },
  arms = { a = cs.kernel.sgld { rate = 0.002, batch = 10 }, b = cs.kernel.mala { step = 0.1 } },
  probes = { $1 }, budget = { steps = 400 },
}
END
}
of() { # KEY FILE: prints the value of KEY for the arm a
    sed -n "s/.*\"arm\": \"a\".*\"$1\": \([^,}]*\)[,}].*/\1/p" "$2"
}

scenario
"$program" run "$work/part.lua" --out "$work/plain" >"$work/out" || fault "no run"
grep -q "^  lp__ is the kernel's estimate of log p" "$work/out" || fault "the summary does not report the estimate"
grep -q "true_logp = true" "$work/out" || fault "the summary does not say how to request log p"
grep -q "^# log_density = the kernel's estimate" "$work/plain/a_1.csv" || fault "a file does not report the estimate"
grep -q "log_density" "$work/plain/b_1.csv" && fault "a file reports an exact log p as an estimate"
[ "$(grep -c '"log_p": "estimate"' "$work/plain/summary.json")" = 1 ] || fault "summary.json does not report the estimate"
grep -q '"log_p": "exact"' "$work/plain/summary.json" || fault "summary.json does not report the exact log p"
grep -q '"observed": {"log_densities": 0, "data_terms": 0}' "$work/plain/summary.json" ||
    fault "log p was evaluated without a request"

scenario 'diagnostics = { true_logp = true, every = 4 }'
"$program" run "$work/part.lua" --out "$work/asked" >"$work/out" || fault "no run"
grep -q "estimate of log p" "$work/out" && fault "the summary says that log p itself is an estimate"
grep -q "not counted as work: 200 log densities, 10000 data terms" "$work/out" || fault "wrong evaluation count of the probe"
grep -q '"observed": {"log_densities": 200, "data_terms": 10000}' "$work/asked/summary.json" || fault "wrong evaluation count in summary.json"
for chain in 1 2; do
    cmp -s "$work/plain/a_$chain.csv" "$work/asked/a_$chain.csv" || {
        grep -v '^#' "$work/plain/a_$chain.csv" >"$work/one"
        grep -v '^#' "$work/asked/a_$chain.csv" >"$work/two"
        cmp -s "$work/one" "$work/two" || fault "draws of chain $chain differ because log p was requested"
    }
done

"$program" run "$work/part.lua" --out "$work/half" --steps 200 >/dev/null || fault "no run"
"$program" run "$work/part.lua" --out "$work/half" --resume >"$work/out" || fault "it does not resume"
for name in a_1.csv a_2.csv; do
    grep -v '^#' "$work/asked/$name" >"$work/one"
    grep -v '^#' "$work/half/$name" >"$work/two"
    cmp -s "$work/one" "$work/two" || fault "$name differs after resuming"
done
sed 's/"seconds": [^,}]*//' "$work/asked/summary.json" >"$work/one"
sed 's/"seconds": [^,}]*//' "$work/half/summary.json" >"$work/two"
cmp -s "$work/one" "$work/two" || fault "the summary differs after resuming: $(diff "$work/one" "$work/two" | head -4)"
exit $faults
