#!/bin/sh
# usage: strict.sh PROGRAM
# Tests that --strict turns warnings, but not notes, into an exit code. run and
# merge support the option.
. "$(dirname "$0")/../support/runs.sh"

# scenario NAME FIELDS ...: writes NAME.lua with FIELDS.
scenario() {
    printf 'local cs = require "chainscope"\nlocal K = cs.kernel\nreturn cs.scenario { title = "strict", seed = 1, budget = { steps = 2000 },\n%s }\n' "$2" >"$1.lua"
}

scenario good 'target = cs.target.gaussian { dim = 2 }, arms = { a = K.hmc { step = 0.5, leapfrogs = 3 } }'
exits 0 run good.lua --strict
[ -s err ] && fault "a good run fails: $(cat err)"

scenario note 'target = cs.target.gaussian { dim = 2 }, start = { 0, 0 }, arms = { a = K.hmc { step = 0.5, leapfrogs = 3 } }'
exits 0 run note.lua --strict --out note
grep -q 'all chains start at one place' said || fault "no note: $(cat said)"
grep -q '"warned": \[{"name": "one_place", "severity": "note", "text": "all chains' note/summary.json ||
    fault "summary.json: $(grep -o '"warned".*' note/summary.json)"

scenario bad 'target = cs.target.gaussian { dim = 2 }, arms = { a = K.random_walk { step = 0.01 }, b = K.hmc { step = 0.5 } }'
exits 0 run bad.lua
exits 3 run bad.lua --strict --out bad
[ "$(grep -c '^chainscope: --strict: a: [a-z_]*$' err)" -ge 1 ] || fault "no kind of warning is named: $(cat err)"
grep -q -- '--strict: b' err && fault "a warning about b, which is good: $(cat err)"
grep -q '"name": "step_small", "severity": "warning"' bad/summary.json || fault "no severity: $(cat bad/summary.json)"

# A run that made no steps exits with code 1, as it does without the option.
scenario stops 'target = cs.target { space = cs.real(1), traced = false, log_density = function(x)
  return x[1] > 3 and 0 / 0 or -x[1]^2 / 2 end }, strict = true, start = { { 0 }, { 1 } }, chains = 2,
  arms = { a = K.random_walk { step = 2 } }'
exits 1 run stops.lua --strict

# Parts are judged only after they are merged.
mkdir parts
exits 0 run bad.lua --strict --part 1/2 --out parts/1
exits 0 run bad.lua --strict --part 2/2 --out parts/2
exits 3 merge bad.lua parts --strict --out whole
exit $faults
