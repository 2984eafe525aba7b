#!/bin/sh
# usage: process.sh PROGRAM
# Tests a model in another process that exits, hangs, or writes invalid or too
# much output. The error names the line of the output, the run stops, the draws
# made before are complete, and no process that was started remains.
. "$(dirname "$0")/../support/begin.sh"
says() { grep -qE -- "$1" "$work/err" || fault "$name does not say '$1': $(cat "$work/err")"; }

hello='read a; printf "chainscope 1\nparameter x real\nready\n"; '
# Answers 0 to every point; at request number 50 it also runs the commands in
# $at.
answers='k=0; while read what n; do i=0; k=$((k+1)); while [ $i -lt $n ]; do read p; i=$((i+1)); echo 0; done; '
at() { printf '%s' "$hello$answers"' [ $k = 50 ] && { '"$1"'; }; echo end; done'; }

# A process that answers gets enough time on any machine. The time limit is
# short only for processes that must hang.
timeout=60 startup=60
# scenario NAME SCRIPT [FIELDS OF THE TARGET] [FIELDS]: writes NAME.lua with the
# process SCRIPT.
scenario() {
    printf '%s\n' "local cs = require 'chainscope'
return cs.scenario {
  title = '$1', chains = 2, seed = 1, warmup = 0,
  target = cs.target { process = { 'sh', '-c', [==[: $work; $2]==] }, timeout = $timeout, startup = $startup, $3 },
  arms = { a = cs.kernel.random_walk { step = 1 } }, budget = { steps = 200 }, $4
}" >"$work/$1.lua"
}
# run NAME EXIT [OPTION ...]: runs NAME.lua and checks the exit code.
run() {
    name=$1 wanted=$2
    shift 2
    "$program" run "$work/$name.lua" --trust --out "$work/out-$name" "$@" >"$work/$name.out" 2>"$work/err"
    code=$?
    [ "$code" = "$wanted" ] || fault "$name: exit $code: $(cat "$work/err")"
}
cd "$work" || exit 1
printf '%s' "$work" >folder
# Fails if processes whose arguments contain the name of the folder still exist
# after ten seconds.
none_left() {
    try=0
    while grep -qasFf folder /proc/[0-9]*/cmdline; do
        sleep 0.02
        [ $((try += 1)) -lt 500 ] || break
    done
    [ $try -lt 500 ] && return
    left=$(grep -lasFf folder /proc/[0-9]*/cmdline)
    fault "$name leaves a process: $(for one in $left; do tr '\0' ' ' <"$one"; done)"
}
# stops NAME STEP SCRIPT WORDS: the run fails at step STEP of both chains, with
# WORDS in the message.
stops() {
    scenario "$1" "$3"
    run "$1" 1
    says "log density is NaN in chain 1 of arm a at step $2, .*; reason: .*$4"
    says 'all chains have stopped'
    says "the draws so far are in .*out-$1"
    rows=$(grep -hc '^[^#l]' "out-$1/a_1.csv" "out-$1/a_2.csv" | tr '\n' ' ')
    [ "$rows" = "$(($2 - 1)) $(($2 - 1)) " ] || fault "$1: $rows draws of its chains"
    none_left
}
# refuses NAME SCRIPT WORDS [FIELDS]: the run ends before its first step, with
# WORDS in the message.
refuses() {
    scenario "$1" "$2" "$4"
    run "$1" 1
    says "$3"
    none_left
}

# Each model process leads its own process group. When the group is ended, the
# processes that the model has started end too, and Ctrl-C in the terminal of
# the program does not reach the group. Without a group, all hanging processes
# below would remain.
scenario group "read -r of </proc/\$\$/stat; echo \"\$of\" >group; $hello$answers"'echo end; done'
run group 0
[ "$(cut -d' ' -f1 group)" = "$(cut -d' ' -f5 group)" ] || {
    echo "group: its process is in that of another: $(cat group)"
    exit 1
}
none_left

# ---- during a run ------------------------------------------------------------
stops dies 49 "$(at 'echo >&2; echo "ValueError: oops" >&2; exit 3')" 'the process exited with code 3 after line 153 of its output: its last line on stderr: ValueError: oops'
stops rubbish 49 "$(at 'echo "<html>"')" "line 154 from the process, '<html>': unexpected 'end': 2 points must be answered first"
stops flood 49 "$(at 'yes 0')" "line 154 from the process, '0': unexpected 'end'"
stops long 49 "$(at 'tr "\0" x </dev/zero')" "line 154 from the process, 'xxxxxxxx.*': the line is longer than"
stops zero 49 "$(at 'printf "\0end\n"')" "line 154 from the process, '': the line contains a zero byte"
# A process that the model process has started is ended too.
timeout=2
stops hangs 49 "$(at "sh -c 'sleep 1000; :' $work")" 'the process gave no answer within 2 s, after line 153 of its output: raise the time limit: timeout = 20'
# More bytes on stderr than a pipe holds, and then further lines, but no answer.
stops noise 49 "$(at 'yes noise | head -n 50000 >&2; while :; do echo noise >&2; sleep 0.1; done')" 'gave no answer within 2 s.*its last line on stderr: n'
timeout=60
stops closes 49 "$(at 'exec >&-; sleep 1000')" 'the process closed its output after line 153'
stops signal 49 "$(at 'kill -TERM $$; sleep 1')" 'was killed by signal 15'

# An additional answer, which arrives with the requested answer or after it.
scenario unasked "$(at 'echo end; echo 1; sleep 0.1')"
run unasked 1
says "line 15[4-9] from the process, '(1|end|0)': (no output was expected|unexpected 'end'|'end' is not a number)"
none_left

# A model process that is killed by SIGKILL is started again, once.
scenario killed "$(at 'kill -KILL $$')"
sed -i 's/\[ \$k = 50 \]/[ $k = 50 ] \&\& [ ! -e gone ] \&\& touch gone/; s/echo 0; done; /:; done; /; s/echo end; done/i=0; while [ $i -lt $n ]; do echo 0; i=$((i+1)); done; echo end; done/' "$work/killed.lua"
run killed 0
[ -e "$work/gone" ] || fault "killed: it was not"

# A point that the model rejects does not count as a failure of the process.
refuse='while read what n; do i=0; while [ $i -lt $n ]; do read p; i=$((i+1)); case $p in [1-9]*) echo error x is too large;; *) echo 0;; esac; done; echo end; done'
scenario refusing "$hello$refuse"
run refusing 0
grep -q 'reason, the last time: x is too large' "$work/refusing.out" || fault "refusing: $(cat "$work/refusing.out")"
grep -q 'steps met a NaN log density or gradient' "$work/refusing.out" || fault "refusing: not counted"
scenario strict "$hello$refuse" '' 'strict = true, start = { 0 },'
run strict 1
says 'at step [0-9]*, x = .*; reason: x is too large'

# ---- before the first step ---------------------------------------------------
refuses twice "$hello$answers"'echo 1; echo end; done' "chain 1 cannot start: its log density is not a number: line 7 from the process, '1': unexpected 'end': 3 points must be answered first"
refuses word "$hello"'while read what n; do read p; echo nine; done' "line 4 from the process, 'nine': 'nine' is not a number"
refuses many "$hello"'while read what n; do read p; echo 1 2; done' "unexpected '2': 1 number is expected"
refuses none "$hello"'while read what n; do read p; echo; done' 'the line has only 0 of 1 numbers'
timeout=2
refuses noend "$hello"'while read what n; do read p; read q; echo 0; echo 0; done' 'no answer within 2 s, after line 5'
timeout=60
refuses yes "$hello yes" "not a number|no output was expected"
refuses version 'read a; echo chainscope 2' "line 1 from the process, 'chainscope 2': protocol version 2 is not supported; expected 1"
refuses hello 'read a; echo hello' "line 1 from the process, 'hello': .*: the first line must be: chainscope 1"
startup=0.5
refuses mute 'sleep 1000' 'the process gave no answer within 0.5 s, after line 0'
startup=60
refuses gone 'echo no numpy >&2; exit 7' 'the process exited with code 7 after line 0 of its output: its last line on stderr: no numpy'
refuses support 'read a; echo chainscope 1; echo parameter x reel; echo ready' "line 2 from the process, 'parameter x reel': parameter x: unknown support 'reel': write real"
# The grid for the exact values has thousands of points. A model that sleeps
# 0.25 s before each answer uses no CPU time, but the computation of the exact
# values is abandoned all the same.
scenario slow "${hello%%\\nready*}"'\nparameter y real\nready\n"; while read what n; do i=0; while [ $i -lt $n ]; do read p; i=$((i+1)); sleep 0.25; echo 0; done; echo end; done' \
    'view = { -3, 3, -3, 3 },'
timeout 60 "$program" run "$work/slow.lua" --trust --steps 4 >"$work/slow.out" 2>&1 ||
    fault "slow: $(cat "$work/slow.out")"

scenario absent ''
sed -i 's/.sh., .-c., .*==\]/"no_such_program"/' "$work/absent.lua"
run absent 1
says 'cannot start no_such_program: No such file or directory'
sed 's/process = .*startup/process = { "sh", 1 }, startup/' "$work/absent.lua" >"$work/words.lua"
run words 1
says 'process is not a list of strings'
sed 's/process = .*startup/process = {}, startup/' "$work/absent.lua" >"$work/empty.lua"
run empty 1
says 'process is empty'
sed 's/timeout = 60/timeout = 0/' "$work/dies.lua" >"$work/never.lua"
run never 1
says 'use a number above 0'
name=untrusted
"$program" run "$work/dies.lua" >"$work/out" 2>"$work/err" && fault "run without --trust"
says 'dies.lua:4: a process .*: if you trust this scenario, start chainscope with --trust'
at 'exit 3' >"$work/dies.sh"
"$program" repl "$work/dies.lua" --trust >"$work/err" 2>&1 <<'END'
t = cs.target { process = { "sh", "dies.sh" } }
print(pcall(function() for i = 1, 60 do t:log_density { x = 1 } end end))
END
says 'false.*target process: the process exited with code 3'

# ---- Ctrl-C while the model hangs --------------------------------------------
# The program receives its signal when the model process has created the file
# `hanging`.
timeout=600 startup=600
# interrupted NAME SCRIPT SIGNAL CODE: sends SIGNAL, and checks that the program
# exits with CODE.
interrupted() {
    scenario "$1" "$2"
    name=$1 try=0
    rm -f hanging
    "$program" run "$work/$1.lua" --trust --out "$work/out-$1" >"$work/$1.out" 2>"$work/err" &
    pid=$!
    until [ -e hanging ] || [ $((try += 1)) -gt 3000 ]; do sleep 0.02; done
    kill -"$3" $pid
    try=0
    while { read -r state <"/proc/$pid/stat"; } 2>/dev/null && [ "${state#*) Z}" = "$state" ]; do
        sleep 0.02
        [ $((try += 1)) -lt 1500 ] && continue
        fault "$1: it does not stop"
        kill -KILL $pid
        break
    done
    wait $pid
    code=$?
    [ "$code" = "$4" ] || fault "$1: exit $code: $(cat "$work/err")"
    none_left
}
interrupted wait "$(at ': >hanging; sleep 1000')" TERM 143
interrupted open ': >hanging; sleep 1000' TERM 143
interrupted torn "$(at 'trap : TERM; : >hanging; sleep 1000')" KILL 137
[ "$(grep -c '^[^#l]' "$work/out-wait/a_1.csv")" -le 48 ] || fault "wait: draws of a step that was torn"
# A process that the model starts in a session of its own also ends when the run
# ends, and when the model process exits during the run.
far="(setsid sh -c ': $work; while :; do sleep 600; done' </dev/null >/dev/null 2>&1 &); "
scenario far "$far$(at :)"
run far 0
none_left
stops far_dies 49 "$far$(at 'exit 3')" 'exited with code 3'

# A model that gives different answers for the same point is reported before the
# run.
drawn="$hello"'k=0; while read what n; do i=0; while [ $i -lt $n ]; do read p; i=$((i+1)); k=$((k+1)); echo "-0.$k"; done; echo end; done'
scenario drawn "$drawn"
run drawn 0
says 'evaluated twice at the same point, the process gives -0.1 and -0.3 as its log density'
scenario steady "$(at :)"
run steady 0
! grep -q 'evaluated twice' "$work/err" || fault "steady: $(cat "$work/err")"

exit $faults
