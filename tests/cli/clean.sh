#!/bin/sh
# usage: clean.sh PROGRAM SCENARIO
# Tests that text and names from an untrusted scenario cannot control the
# terminal. No escape sequence is printed, and a name stays on its line.
. "$(dirname "$0")/../support/begin.sh"

cat >"$work/a.lua" <<'END'
local cs = require "chainscope"
print("\27]0;pwned\7\27[2J", "tab", "\226\128\174", "\155", "é")
return cs.scenario {
  title = "t\27[2J", shows = "\27[2J", source = "\27[2J",
  target = cs.target { space = cs.real(1),
    log_density = function(x) return -x[1]^2 end },
  arms = { cs.kernel.random_walk {} },
  budget = { steps = 200 },
  claims = { { arm = "random_walk", stat = "acceptance", at_least = 0.1,
    paper = "p\27[2J", note = "n\27[2J" } },
  setup = function(run) run:at(50, function() print("\27]52;c;AAAA\7") end) end
}
END
escape=$(printf '\033')
for command in run 'check --seconds 1' 'describe --tape' replicate; do
    script -qec "'$program' $command '$work/a.lua'" "$work/tty" </dev/null >/dev/null
    # Escape sequences of the program itself: clearing a line, editing a line.
    sed "s/$escape\\[K//g; s/$escape\\[?2004[hl]//g" "$work/tty" >"$work/said"
    grep -q "$escape" "$work/said" && fault "$command: $(grep "$escape" "$work/said" | cat -v)"
    grep -q "$(printf '\007')" "$work/said" && fault "$command: a bell"
done
# Reads draws of another program, whose arm and columns have such names, from a
# pipe.
mkdir "$work/draws"
printf '# arm = \033]0;pwned\007\nlp__,x\033[31m\n-1,1\n-1,2\n' >"$work/draws/a.csv"
echo ':summary' >"$work/lines"
script -qec "'$program' repl '$work/draws' <'$work/lines'" "$work/tty" </dev/null >/dev/null
sed "s/$escape\\[K//g" "$work/tty" >"$work/said"
grep -q "$escape" "$work/said" && fault "repl: $(grep "$escape" "$work/said" | cat -v)"
grep -q 'pwned' "$work/said" || fault "repl: no summary: $(cat -v "$work/said")"
"$program" run "$work/a.lua" >"$work/said" 2>&1 || fault "run: $(cat "$work/said")"
grep -qF "$(printf '\\x1b]0;pwned\\x07\\x1b[2J\ttab\t\\xe2\\x80\\xae\t\\x9b\té')" "$work/said" ||
    fault "printed text: $(head -2 "$work/said" | cat -v)"
"$program" run --trust "$work/a.lua" | grep -q "$escape" || fault "--trust does not allow it"
exit $faults
