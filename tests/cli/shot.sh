#!/bin/sh
# usage: shot.sh PROGRAM SCENARIO
# Tests the screen without a terminal: the keys and lines of a script, and the
# resulting frame.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2
cd "$work" || exit 1
shot() { XDG_STATE_HOME=$work XDG_CACHE_HOME=$work "$program" shot "$@" --size 100x30; }

shot "$scenario" --steps 100 --keys '..:set a.step 0.5<enter>:step 500<enter>,z' >keys.txt ||
    fault "keys are refused"
grep -q 'step 601 ' keys.txt || fault "not at step 601: $(head -1 keys.txt)"
grep -q 'to step 601, by 1' keys.txt || fault "the last key was not waited for"
cat >steps.txt <<END
# two steps, and a parameter change
..
:set a.step 0.5

:step 500
,
z
END
shot "$scenario" --steps 100 --script steps.txt | cmp - keys.txt ||
    fault "a script gives another frame than its keys"
shot "$scenario" --steps 602 >plain.txt
cmp -s plain.txt keys.txt && fault "keys have no effect"

# If a run continues by itself, the next key acts while the run is active.
shot "$scenario" --steps 0 --keys ':speed 50<enter><space>' >runs.txt &
runs=$!
shot --keys '/hmc<enter>' >found.txt || fault "no gallery"
grep -q 'step 0' found.txt || fault "Enter opens no scenario: $(cat found.txt)"
shot --keys '<down>' | grep -q '> Too small' || fault "Down does not select the second row"
wait $runs || fault "a running run is never shown"
grep -q 'running' runs.txt || fault "it does not run: $(head -1 runs.txt)"

# :screenshot and :record write the displayed frame.
shot "$scenario" --keys '.:record a.cast<enter>.:screenshot kept.txt<enter>.:screenshot kept.svg<enter>m' >last.txt
grep -q 'step 1,002' kept.txt && grep -q '<svg' kept.svg || fault ":screenshot writes another frame"
grep -q "written to $work/kept.svg" last.txt || fault "the whole path is not printed: $(cat last.txt)"
"$program" replay a.cast --at 1e6 | cmp - last.txt || fault "the recording ends with another frame"
shot a.cast --keys '' | head -1 | grep -q 'step 1,003 ' || fault "the recorded run has another state"
[ -e "$work/chainscope/history" ] && fault "lines typed by a script are in the history"

# The race of a quantity, and of a function, which is a generated quantity.
cat >raced.lua <<'END'
local cs = require "chainscope"
return cs.scenario {
  title = "Raced", target = cs.target { params = { x = cs.real(2) }, log_density = function(p) return cs.lpdf.normal(p.x, 0, 1) end },
  arms = { near = cs.kernel.random_walk { step = 0.1 }, far = cs.kernel.random_walk { step = 2 } }, seed = 1, warmup = 0,
  screen = { { "race", quantity = function(p) return p.x[1]^2 end, name = "square" } },
}
END
shot raced.lua --steps 2000 | grep -q 'effective draws for square per' || fault "no race of a function"
shot raced.lua --steps 2000 --keys ':panel race=x.2<enter>' | grep -q 'effective draws for x.2 per' || fault "no race of x.2"

# refused WORDS ARGUMENTS ...: checks that shot fails and its message has WORDS.
refused() {
    words=$1
    shift
    shot "$@" >/dev/null 2>err
    [ $? -eq 1 ] && grep -q "$words" err || fault "$*: $(cat err)"
}
# A recording has the times of its keys, not of the machine.
"$program" shot "$scenario" --steps 0 --size 60x15 --keys ':record waits.cast<enter><wait 5>M<wait 2.5>M:record<enter>' >shot.txt || fault "no recording"
"$program" replay waits.cast --plain >marks.txt
grep -q '^At 5\.1 s, step 0: 1$' marks.txt && grep -q '^At 7\.7 s, step 0: 2$' marks.txt || fault "the times: $(grep '^At' marks.txt)"
refused 'unknown key <nokey>' "$scenario" --keys '.<nokey>'
refused 'unknown key <wait -1>' "$scenario" --keys '<wait -1>'
printf 'z\n<oh\n' >bad.txt
refused 'bad.txt:2' "$scenario" --script bad.txt
refused 'none.txt' "$scenario" --script none.txt
shot "$scenario" --keys ':save race.svg<enter>m' | grep -q ':screenshot NAME.svg' ||
    fault ":save writes a screenshot's ending"
exit $faults
