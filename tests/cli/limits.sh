#!/bin/sh
# usage: limits.sh PROGRAM SCENARIO
# Tests scripts that do not end or that request too much, and the limits on
# scripts. The front remains responsive, reports the line, and stops on request.
. "$(dirname "$0")/../support/begin.sh"
scenario=$2

# Scenarios that do not end when they are loaded, in their density, in an event,
# and so on.
head='local cs = require "chainscope"'
walk='arms = { cs.kernel.random_walk {} }, budget = { steps = 1e9 }, title = "x"'
{ echo "$head"; echo 'while true do end'; } >"$work/load.lua"
{ echo "$head"; echo 'local s = "x" while true do s = s .. s end'; } >"$work/memory.lua"
cat >"$work/density.lua" <<END
$head
local n = 0
return cs.scenario { $walk, target = cs.target { space = cs.real(1),
  log_density = function(x) n = n + 1 while n > 90000 do end return -x[1]^2 end } }
END
cat >"$work/event.lua" <<END
$head
return cs.scenario { $walk, target = cs.target.nine_modes {},
  setup = function(run)
    run:at(5000, function()
      while true do end
    end)
  end }
END

# ticks PID: prints the user CPU time of the process, in hundredths of a second.
ticks() {
    read -r stat <"/proc/$1/stat" || return
    # shellcheck disable=SC2086
    set -- $stat
    echo "${14}"
}

# ends NAME TICKS SIGNAL CODE TEXT: sends SIGNAL after the session has used
# TICKS of CPU time, which is more than it needs to reach the loop. The program
# must end with CODE and print TEXT. The session must end within 400 ticks after
# the signal.
ends() {
    out=$work/$1.out
    (ulimit -t 7 && exec "$program" run "$work/$1.lua" $6 --force --out "$out") \
        >"$work/said" 2>"$work/err" &
    front=$!
    session=
    until [ -n "$session" ] && [ "$(ticks "$session")" -ge "$2" ]; do
        kill -0 $front 2>/dev/null || break
        sleep 0.05
        [ -n "$session" ] || session=$(pgrep -P $front)
    done 2>/dev/null
    kill -0 $front 2>/dev/null || fault "$1: ended too early: $(cat "$work/err")"
    at=$(ticks "$session")
    kill -"$3" $front
    wait $front
    got=$?
    [ $got -eq "$4" ] || fault "$1: exit code $got, want $4"
    [ -z "$5" ] || grep -q -- "$5" "$work/err" || fault "$1: no '$5' in: $(cat "$work/err")"
    while now=$(ticks "$session") && [ -n "$now" ]; do
        case $(cut -d' ' -f3 "/proc/$session/stat" 2>/dev/null) in
        Z | '') return ;;
        esac
        [ $((now - at)) -lt 400 ] || { fault "$1: the session is still running"; break; }
        sleep 0.1
    done 2>/dev/null
}

ends load 20 INT 130 'load.lua:2: stopped on request'
ends load 20 TERM 143 'load.lua:2: stopped on request' --trust
ends event 30 INT 130 'event.lua:[56]: stopped on request'
ends density 40 TERM 143 'the draws so far are in'
[ "$(grep -vc '^#' "$work/density.out/random_walk_1.csv")" -gt 1000 ] ||
    fault "density: the draws before it are lost"
ends density 40 KILL 137 '' # only the front is killed, and the session ends by itself

"$program" run "$work/memory.lua" --memory 64 >/dev/null 2>"$work/err"
[ $? -eq 1 ] && grep -q 'memory.lua: not enough memory' "$work/err" ||
    fault "memory: $(cat "$work/err")"

# After Ctrl-C the prompt continues.
{ echo 'while true do end'; echo '6 * 7'; } >"$work/lines"
"$program" repl <"$work/lines" >"$work/said" 2>"$work/err" &
front=$!
session=
until [ -n "$session" ] && [ "$(ticks "$session")" -ge 20 ]; do
    kill -0 $front 2>/dev/null || break
    sleep 0.05
    [ -n "$session" ] || session=$(pgrep -P $front)
done 2>/dev/null
kill -INT $front
wait $front
grep -q 42 "$work/said" || fault "repl: no output after an interrupt"
grep -q 'console:1: stopped on request' "$work/err" || fault "repl: not stopped"

# wall OPTION WANT: checks the limits that the operating system has set for the
# session. WANT is 1 if the session can gain no privileges.
wall() {
    "$program" run "$scenario" $1 --steps 1e8 >/dev/null 2>&1 &
    front=$! session=
    until [ -n "$session" ] && [ "$(ticks "$session")" -ge 5 ]; do
        kill -0 $front 2>/dev/null || break
        sleep 0.05
        [ -n "$session" ] || session=$(pgrep -P $front)
    done 2>/dev/null
    got=$(sed -n 's/NoNewPrivs:\t//p' "/proc/$session/status")
    core=$(sed -n 's/Max core file size *\([^ ]*\) .*/\1/p' "/proc/$session/limits")
    files=$(sed -n 's/Max open files *\([^ ]*\) .*/\1/p' "/proc/$session/limits")
    file=$(sed -n 's/Max file size *\([^ ]*\) .*/\1/p' "/proc/$session/limits")
    tasks=$(sed -n 's/Max processes *\([^ ]*\) .*/\1/p' "/proc/$session/limits")
    kill -TERM $front
    wait $front
    [ "$got" = "$2" ] || fault "NoNewPrivs $got with '$1'"
    [ -n "$1" ] || [ "$core $files $file" = '0 256 68719476736' ] ||
        fault "limits are $core $files $file"
    [ -n "$1" ] || [ "$tasks" -lt 60000 ] || fault "$tasks tasks"
}
wall '' 1
wall --trust 0

# A file that has reached its maximum size is reported, and no process is killed.
(
    ulimit -f 200
    "$program" run "$scenario" --out "$work/long" --steps 1e6
) >"$work/said" 2>"$work/err"
[ $? -eq 1 ] && grep -q 'File too large' "$work/err" ||
    fault "a long file: $(cat "$work/err")"

# A call of the density does not end at a point that no chain reaches, so only
# the exact values are missing. A message says that opening takes a while.
cat >"$work/corner.lua" <<END
$head
return cs.scenario { arms = { cs.kernel.random_walk {} }, budget = { steps = 50 },
  title = "x", target = cs.target { space = cs.real(2), view = { -3, 3, -3, 3 },
    log_density = function(x)
      while x[1] > 2.9 and x[2] > 2.9 do end
      return -20 * (x[1]^2 + x[2]^2)
    end, traced = false }, start = { 0, 0 } }
END
(ulimit -t 4 && script -qec "'$program' run '$work/corner.lua'" "$work/tty") </dev/null >"$work/said" ||
    fault "corner: slow to open: $(cat "$work/said")"
grep -q 'exact values are skipped' "$work/said" || fault "corner: no message"
grep -q 'opening .*corner.lua ... (Ctrl-C stops)' "$work/said" ||
    fault "corner: no message while it opens"

# A scenario that requests more memory than the machine has is refused at the
# start.
{
    echo "$head"
    echo "return cs.scenario { $walk, chains = 1e5, target = cs.target {"
    echo '  space = cs.real(1e5), log_density = function(x) return 0 end } }'
} >"$work/vast.lua"
(ulimit -t 2 && exec "$program" run --trust "$work/vast.lua") >/dev/null 2>"$work/err"
[ $? -eq 1 ] && grep -q '100000 chains in 100000 dimensions need .* GiB; .* GiB are available.*fewer chains' "$work/err" ||
    fault "vast: $(cat "$work/err")"
exit $faults
