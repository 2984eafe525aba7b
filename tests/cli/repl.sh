#!/bin/sh
# usage: repl.sh PROGRAM SCENARIO
# Tests a Lua prompt that reads from a pipe. Only results are printed on stdout,
# errors are printed with their line on stderr, and the prompt continues after
# errors.
program=$1 scenario=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
faults=0

# says TEXT WANT: checks that the prompt prints WANT if it reads TEXT from a pipe.
says() {
    got=$(printf "$1" | "$program" repl 2>"$work/err")
    [ "$got" = "$(printf "$2")" ] || { echo "'$1' says '$got'"; faults=1; }
}

says '1+1\n' '2'
says '= 1, nil\n' '1\tnil'
says 'x = 3\nx * 2' '6'
says 'for i = 1, 2 do\n  print(i)\nend\n' '1\n2'
says 's = [[a\n\nb]]\ns' 'a\n\nb'
says '#!/usr/bin/env chainscope repl\ncs.version ~= nil' 'true'
says ':help\n' "$("$program" repl <<END
:help
END
)"
printf ':help\n' | "$program" repl | tail -n 1 | grep -q '^quit ' || { echo ":help ends early"; faults=1; }
says 'run = cs.open { target = cs.target.nine_modes {}, arms = { cs.kernel.random_walk {} } }\nrun:step(7)\nrun.steps\n' '7\n7'
# :summary prints the run that the prompt has opened.
printf '%s\n' 'run = cs.open { target = cs.target.nine_modes {}, arms = { walk = cs.kernel.random_walk {} } }' 'run:step(50)' \
    ':summary' ':summary csv' ':summary warnings' | "$program" repl >"$work/out" 2>"$work/err" || { echo ":summary: $(cat "$work/err")"; faults=1; }
grep -q '^walk (random_walk): 4 chains, 50 steps' "$work/out" || { echo "no summary of the prompt's run"; faults=1; }
grep -q '^walk,x.1,' "$work/out" || { echo "no csv of the prompt's run"; faults=1; }
says ':summary\n' ''
grep -q 'no scenario is open' "$work/err" || { echo "a summary without a run"; faults=1; }
says 'local x = 3\nlocal function f(n)\n  return n * x\nend\nlocal a, b = f(2), 1\na + b\n' '7'
says 'local x = 1\ndo\n  local x = 2\nend\nx\n' '1'
says 'error "no"\n2\n' '2'
grep -q '^console:1: no$' "$work/err" || { echo "no error told"; faults=1; }
says '\n\n\nnosuch.field\n' ''
grep -q '^console:4: ' "$work/err" || { echo "no line told"; faults=1; }
says 'for i = 1, 2 do' ''
grep -q eof "$work/err" || { echo "an open end is not told"; faults=1; }
echo 'error "no"' | "$program" repl >/dev/null 2>&1 && faults=1
echo '1' | "$program" repl >/dev/null || faults=1
lines=$(echo 'for i = 1, 200000 do print(i) end' | "$program" repl | wc -l)
[ "$lines" -eq 200000 ] || { echo "200000 lines became $lines"; faults=1; }
got=$(printf 'run.seed\n:step 12\nrun.steps\n' | "$program" repl "$scenario")
[ "$got" = "$(printf '7\n12')" ] || { echo "with FILE it says '$got'"; faults=1; }
echo 'os.exit()' | "$program" repl >/dev/null 2>&1 && { echo "os is there"; faults=1; }
got=$(echo 'os.getenv "HOME"' | HOME=/x "$program" repl --trust)
[ "$got" = /x ] || { echo "--trust gives no os: $got"; faults=1; }

# If the front is killed during an endless loop, for which no time limit is set
# here, the session ends too, although it handles no messages during the loop.
# The CPU time shows that the loop is running.
echo 'while true do end' | "$program" repl >"$work/out" &
front=$!
used=0
while [ "$used" -lt 100 ] && kill -0 $front; do
    sleep 0.02
    session=$(pgrep -P $front) || continue
    used=$(cut -d' ' -f14 "/proc/$session/stat")
done
kill -KILL $front
wait $front
try=0
while { read -r state <"/proc/$session/stat"; } 2>/dev/null && [ "${state#*) Z}" = "$state" ]; do
    sleep 0.02
    [ $((try += 1)) -lt 1500 ] && continue
    echo "the session outlives its front"
    faults=1
    kill -KILL "$session"
    break
done
exit $faults
