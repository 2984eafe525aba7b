#!/bin/sh
# usage: watch.sh PROGRAM SCENARIO
# Tests the screen on a run that another process writes. The displayed figures
# equal those of the run itself, also for parts of a run. A folder without a run
# is refused.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

cat >three.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 4, seed = 3, budget = { steps = 1500 },
  target = cs.target.mixture { means = { { -2, 0 }, { 2, 1 } } },
  arms = { walk = cs.kernel.random_walk { step = 2 },
           tempered = cs.kernel.simulated_tempering { kernel = cs.kernel.random_walk { step = 2 }, learn = 0 },
           nuts = { kernel = cs.kernel.nuts {}, chains = 3,
                    tuner = cs.tuner.window_adaptation { steps = 300 } } },
}
END
# Prints the lines of figures in a summary, such as "  x.1  0.87 ...".
figures() { grep -a '^ *\(lp__\|x[.][12]\) ' "$1" | sort; }
# watched FOLDER: prints the :summary of the watched folder.
watched() {
    printf 'run:step(5000)\n:summary\n' | "$program" repl "$1" >watched 2>err ||
        fault "$1: $(cat err)"
}
"$program" run three.lua --out whole >run 2>err || fault "$(cat err)"
watched whole
figures run >a
figures watched >b
[ -s a ] || fault "the summary has no figures"
cmp a b || { fault "other figures are shown"; diff a b; }
mkdir parts
grep -q '^walk (recorded): 4 chains, 1350 steps, mean acceptance 0[.][0-9]*, read' watched ||
    fault "no acceptance: $(grep '^walk' watched)"
for k in 1 2 3; do "$program" run three.lua --part $k/3 --out parts/$k >said; done
watched parts
figures watched >b
cmp a b || { fault "other figures of parts are shown"; diff a b; }
"$program" report whole -o page.html >said 2>err || fault "report: $(cat err)"
grep -q '>0.4973<' page.html || fault "a report of a folder lacks its figures"
# Shows panels that need only draws, and a panel that needs more than draws.
"$program" shot whole --steps 2000 --keys ':layout trace proposal<enter>' >frame
grep -q 'watching whole' frame || fault "the source of the figures is not named"
grep -q 'These draws are read' frame || fault "a panel does not say that it needs more than draws"
# The run is still being written when it is killed. Its draws so far are shown.
sed 's/steps = 1500 }/steps = 2000000 }, warmup = 300/' three.lua >long.lua
"$program" run long.lua --out long >said 2>err &
child=$!
# Waits until each file has about a hundred draws, however slow the machine is.
until [ -n "$(find long -name '*.csv' 2>err)" ] && [ -z "$(find long -name '*.csv' -size -32)" ]; do
    kill -0 $child 2>err || break
    sleep 0.05
done
"$program" shot long --steps 50 >frame 2>err || fault "long: $(cat err)"
grep -q 'step 50' frame || fault "a run that is being written is not shown: $(head -1 frame)"
kill -9 $child $(pgrep -P $child) 2>err
wait $child 2>err
while [ -e long/lock ] && ! flock -n long/lock true 2>err; do sleep 0.02; done

# refused TEXT STATUS ARG ...: checks the message TEXT and the exit code STATUS.
refused() {
    text=$1 want=$2
    shift 2
    "$program" "$@" </dev/null >said 2>err
    status=$?
    [ $status -eq $want ] || fault "$*: status $status"
    grep -q -- "$text" err || fault "$*: $(cat err)"
}
mkdir empty
refused "there is no file or folder 'nowhere': check the name" 1 watch nowhere
refused 'three.lua is not a file of draws in a known format' 2 watch three.lua
refused 'empty has no files of draws: give a folder' 1 watch empty
mkdir tables && printf 'a,b\nx,y\n' >tables/t.csv
refused 't.csv is not a file of draws: its first column is a' 1 watch tables
refused 't.csv is not a file of draws' 1 watch tables --wait
refused 'three.lua is not a file of draws' 2 watch three.lua --wait
mkdir queue && echo plan >queue/plan
refused 'queue holds the results of a queue of runs, but no draws' 1 watch queue --wait
mkdir many
(cd many && seq -f 'd%g.csv' 4097 | xargs touch)
refused 'many has more than 4096 CSV files: give the folder of one run' 1 report many -o page.html
# Draws of several runs in one folder are recognised by the headers of their
# files, and refused. One of the files here is endless.
mkdir mixed && cp whole/nuts_1.csv mixed && sed 's/^# model = .*/# model = other/' whole/nuts_2.csv >mixed/b.csv
truncate -s 4G mixed/nuts_1.csv
refused 'are from different models' 1 watch mixed
cp -r parts twice && cp -r whole twice/whole
refused 'are one chain, written twice: give the folder of one run' 1 watch twice
# Chains of CmdStan were started and stopped separately. A report says which
# draws are used.
mkdir hand
for k in 1 2; do
    printf '# model = toy\n# method = sample (Default)\n# id = 1\nlp__,mu\n' >hand/toy-$k.csv
    seq 1 $((k * 100)) | sed "s/.*/-1,&.$k/" >>hand/toy-$k.csv
done
"$program" report hand -o hand.html >said 2>err || fault "hand: $(cat err)"
grep -qx 'chainscope: hand/toy-1.csv: the chains have from 100 to 200 draws: the results use the first 100 of each chain' err ||
    fault "hand: $(cat err)"
sed -i 's/sample/optimize/' hand/toy-1.csv
"$program" report hand -o hand.html >said 2>err || fault "hand: $(cat err)"
grep -q 'hand/toy-1.csv: its method is optimize, not sample: .*; it is left out' err || fault "optimize: $(cat err)"
sed -i 's/optimize/sample/; 7s/,.*//' hand/toy-1.csv
"$program" report hand -o hand.html >said 2>err
grep -q 'hand/toy-1.csv: line 7 is damaged: it has 1 fields, but the header has 2' err || fault "damaged: $(cat err)"
refused 'the screen needs a terminal' 2 watch whole
"$program" watch empty --wait >said 2>err &
child=$!
until grep -q 'waiting for the first draws in empty' err || ! kill -0 $child; do sleep 0.05; done
kill -INT $child
wait $child
[ $? = 130 ] || fault "--wait: Ctrl-C does not end it"
grep -q 'ended by Ctrl-C before the first draws' err || fault "--wait: $(cat err)"
exit $faults
