#!/bin/sh
# usage: badge.sh PROGRAM SCENARIO
# Tests that results of :check are displayed with the arm. Laws that hold are
# displayed as long as the kernel has the parameter values with which they were
# tested. Failed laws are displayed wherever the arm is named, and the arm
# cannot win. :lesson opens the explanation of the warning. The screen, the
# gallery, run and report remember the results until the file changes.
. "$(dirname "$0")/../support/begin.sh"
export XDG_STATE_HOME="$work/state" XDG_CACHE_HOME="$work/cache" XDG_DATA_HOME="$work/data"
forget() { rm -rf "$XDG_CACHE_HOME"; }
cat >"$work/bad.lua" <<'END_LUA'
local cs = require "chainscope"
-- The first forgets the density of its proposals.
return cs.scenario { title = "bad", chains = 4, seed = 1,
  target = cs.target.ising { rows = 3, cols = 3, beta = 0.3 },
  arms = {
    { name = "bad", kernel = cs.kernel { propose = function(x, draw, _, target)
      local g, y = target:gradient(x), {}
      for i = 1, #x do
        local odds = 1 / (1 + math.exp(1 - 0.5 * (1 - 2 * x[i]) * g[i]))
        y[i] = draw:uniform() < odds and 1 - x[i] or x[i]
      end
      return y
    end } },
    { name = "good", kernel = cs.kernel.dmala { step = 0.4 } },
  },
  budget = { steps = 3000 }, screen = { "race", "summary", "trace", "acceptance" } }
END_LUA
# screen KEYS: zooms the summary, presses KEYS and writes the frame to $work/out.
screen() {
    "$program" shot "$work/bad.lua" --size 150x40 --steps 500 --keys ":zoom summary<enter>$1" \
        --glyphs ascii --color never >"$work/out" 2>"$work/err" ||
        fault "$1: $(cat "$work/err")"
}
says() { grep -qE -- "$1" "$work/out" || fault "'$1' is not on: $(cat "$work/out")"; }
silent() { grep -qE -- "$1" "$work/out" && fault "'$1' is on: $(cat "$work/out")"; }

screen ''
silent '(^| )laws( |$)'
screen ':check 1 law stationarity<enter><esc>'
says 'o bad .* wrong '
says '# good'
says 'o bad .* broken .* wrong'
says '# good.* 1 hold'
says '`bad`: the kernel is wrong: exact draws do not stay exact [(]:check, law stationarity[)]'
says '^ the kernel is wrong: exact draws do not stay exact'
says 'a law is broken: stationarity of `bad`'
says 'explained in start/09_plain_and_fast: type :lesson to open it'

# The results are kept when the program is started again.
screen ''
says 'o bad .* broken .* wrong'
says '# good.* 1 hold'
# Before the first step, the line above the arms names the wrong arm, also beside a good one.
"$program" shot "$work/bad.lua" --size 100x40 --steps 0 --keys '<down>' --glyphs ascii --color never >"$work/out" 2>&1
says '^ `bad`: the kernel is wrong'
"$program" run "$work/bad.lua" --steps 20 >"$work/out"
says '^  bad +BROKEN: stationarity'
says '^  good +hold: stationarity'
"$program" report "$work/bad.lua" --steps 20 -o "$work/page.html"
grep -q '<td>BROKEN: stationarity' "$work/page.html" || fault "the broken law is not in the report"
"$program" check "$work/bad.lua" --seconds 1 >/dev/null 2>&1 &&
    fault "a broken law does not fail the run"
mkdir -p "$XDG_STATE_HOME/chainscope" "$XDG_DATA_HOME/chainscope/scenarios"
echo "$work/bad.lua" >"$XDG_STATE_HOME/chainscope/recent"
sed 's/title = "bad"/title = "mine"/' "$work/bad.lua" >"$XDG_DATA_HOME/chainscope/scenarios/mine.lua"
"$program" shot --size 120x40 --keys '' --glyphs ascii --color never >"$work/out"
says '>xbad '
says 'your own'
says ' mine '
says 'laws BROKEN: stationarity of bad'
screen ':set bad.step 1<enter>' # no such parameter: unchanged
says 'o bad .* broken .* wrong'
sed 's/0[.]4/0.45/' "$work/bad.lua" >"$work/other.lua"
mv "$work/other.lua" "$work/bad.lua"
screen ''
silent '(^| )laws( |$)'
forget

screen ':check 1 law record arm good<enter><esc>'
says '# good.* 1 hold'
forget
screen ':check 1 law record arm good<enter><esc>:set good.step 0.5<enter>'
silent '1 hold'
screen ':lesson start/02_step_size<enter>'
says 'Too small, right, too large'
exit $faults
