#!/bin/sh
# usage: own_drawing.sh PROGRAM
# Tests a panel of a scenario that shows lines, points and words and has keys.
# Each appears at its position, through the whole program. Errors are reported.
export LC_ALL=C.UTF-8
. "$(dirname "$0")/../support/begin.sh"

# file PANEL: writes a scenario with this panel.
file() {
    cat >"$work/own.lua" <<END
local cs = require "chainscope"
local at = 1
return cs.scenario { title = "t", shows = "s", chains = 2, seed = 4,
  target = cs.target.gaussian { dim = 2 }, budget = { steps = 400 },
  arms = { walk = cs.kernel.random_walk { step = 1 } },
  screen = { cs.panel { name = "board", $1 } } }
END
}
# shot KEYS: zooms the panel, presses KEYS and prints the screen, 60 x 16; the
# panel has 58 x 11 cells below the lines of the run, the sentence and its title.
shot() { "$program" shot "$work/own.lua" --size 60x16 --steps 10 --color never --keys "z$1" 2>&1; }

file 'draw = function(run, d)
    d:range(0, 58, 0, 11)
    d:text(10.5, 10.5, "at " .. at .. " of step " .. run.steps, "walk")
    d:point(20.5, 5.5, "@", "warn")
    d:line(0, 0.5, 58, 0.5, "accept")
  end,
  key = { j = function() at = at + 1 end, k = function(run) run:step(1) end }'
shot >"$work/out"
sed -n 4p "$work/out" | grep -q '^           at 1 of step 10$' || { cat "$work/out"; fault "the words are not at their position"; }
[ "$(sed -n 9p "$work/out" | tr -d ' ' | cut -c1)" = @ ] || { cat "$work/out"; fault "no point"; }
n=$(grep -n '@' "$work/out" | head -1 | cut -d: -f1)
[ "$n" = 9 ] || fault "the point is in line $n"
tail -n +14 "$work/out" | head -1 | grep -q '⣀\{50,\}\|⠤\{50,\}\|⠒\{50,\}\|⠉\{50,\}' || { cat "$work/out"; fault "no line at the bottom"; }
grep -q 'keys jk' "$work/out" || fault "its keys are not listed"
shot jjj | grep -q 'at 4 of step 10' || fault "a key has no effect"
shot jk | grep -q 'a panel cannot advance or' || { shot jk; fault "a panel may define a key that steps the run"; }
shot jk | grep -q 'of step 10' || fault "a key stepped the run"
# Without the focus the key is a key of the screen.
sed 's/screen = {/screen = { "trace",/' "$work/own.lua" >"$work/two.lua"
"$program" shot "$work/two.lua" --size 100x30 --steps 10 --keys j | grep -q 'at 1' || fault "a panel without the focus received a key"

# refused PANEL WORDS: checks that WORDS are displayed for the invalid PANEL.
refused() {
    file "$1"
    shot >"$work/out"
    tr -d '│\n' <"$work/out" | tr -s ' ' | grep -qF -- "$2" || { cat "$work/out"; fault "$1: no '$2'"; }
}
refused 'draw = function(run, d) d:line(0, 0, 1, 1, "wlak") end' "unknown colour 'wlak'"
refused 'draw = function(run, d) d:range(1, 0, 0, 1) end' 'its range is empty'
refused 'draw = function(run, d) d:range(0, 1 / 0, 0, 1) end' 'its range is infinite'
refused 'draw = function(run, d) d:range(0, 1, -1e308, 1e308) end' 'its range is infinite'
refused 'draw = function(run, d) d:point("a", 1) end' 'x is a string'
refused 'draw = function(run, d) for i = 1, 2001 do d:point(0, 0) end end' '2001 shapes'
refused 'draw = function(run, d) end, key = { q = print }' 'cannot use the key q'
refused 'draw = function(run, d) end, key = { j = 1 }' 'key j is a number'
exit $faults
