#!/bin/sh
# usage: schedules.sh PROGRAM
# Tests schedules that are changed while chains run, as a whole and by their
# fields. Rewinding, branches, journals, scripts, checkpoints, undo and restart
# include these changes.
export LC_ALL=C.UTF-8
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1

cat >two.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", shows = "s", chains = 3, seed = 4, warmup = 0,
  target = cs.target.gaussian { dim = 2 }, budget = { steps = 400 },
  arms = {
    a = cs.kernel.random_walk { step = cs.schedule.cosine { max = 2, min = 0.5, period = 10 } },
    b = cs.kernel.random_walk { step = 1 },
    list = cs.kernel.random_walk { step = { 3, 2, 1 } },
    odd = cs.kernel.random_walk { step = function(k) return 1 + k % 3 end } } }
END

# said FILE LINES: prints the session's answers to these lines. "=" marks lines
# that are compared.
said() { printf "$2" | "$program" repl "$1" 2>&1; }
where='for i=1,3 do local x=run:arm("a"):chain(i):state() print(("=%%.17g %%.17g"):format(x[1],x[2])) end\n'
step='print(("=%%s"):format(tostring(run:arm("a"):plan().step)))\n'
# The commands whose result the tests below must reproduce.
course='run:step(25)\n:set a.step.max 3.1\nrun:step(13)\n:set a.step linear from=2 to=0.1 steps=60\nrun:step(30)\n:set a.step.to 0.3\nrun:step(20)\n:set a.step 0.7\nrun:step(10)\n:set a.step { 2, 1, 0.5 }\nrun:step(7)\n:set a.step.2 1.25\nrun:step(15)\n'
said two.lua "$course$where" | grep '^=' >want
[ "$(wc -l <want)" -eq 3 ] || { said two.lua "$course$where"; fault "no states"; }
# again WHAT FILE LINES: checks that LINES lead to the same states.
again() {
    said "$2" "$3" >got
    grep '^=' got | cmp -s - want || { cat got; fault "$1: the run differs"; }
}
again "run:set" two.lua "run:step(25)\nrun:set 'a.step.max=3.1'\nrun:step(13)\nrun:set 'a.step=linear from=2 to=0.1 steps=60'\nrun:step(30)\nrun:arm('a'):set('step.to', 0.3)\nrun:step(20)\nrun:set 'a.step=0.7'\nrun:step(10)\nrun:arm('a'):set('step', {2, 1, 0.5})\nrun:step(7)\nrun:arm('a'):set('step.2', 1.25)\nrun:step(15)\n$where"
again "back and on" two.lua "$course:rewind to 30\n:rewind to 70\n:rewind to 120\n$where"
again "undone and redone" two.lua "run:step(25)\n:set a.step.max 3.1\n:undo\n:redo\nrun:step(13)\n:set a.step linear from=9 to=1\n:undo\n:set a.step linear from=2 to=0.1 steps=60\nrun:step(30)\n:set a.step.to 0.3\nrun:step(20)\n:set a.step 0.7\nrun:step(10)\n:set a.step { 2, 1, 0.5 }\nrun:step(7)\n:set a.step.2 9\n:undo\n:set a.step.2 1.25\nrun:step(15)\n$where"
said two.lua "$course:save run.lua\n:save run.checkpoint\n:journal\n" | sed -n '/^# chainscope/,$p' >journal.txt
grep -q '^25 1 schedule step cs.schedule.cosine { max = 3.1, min = 0.5' journal.txt ||
    { cat journal.txt; fault "the field is not in the journal"; }
again "journal" two.lua ":replay journal.txt\n$where"
again "script" run.lua "run:step(120)\n$where"
again "checkpoint" two.lua ":load run.checkpoint\n$where"
again "on from a checkpoint" two.lua "$(printf '%s' "$course" | sed 's/:set a.step 0.7.*//' )"':save half.checkpoint\n'":rewind to 3\n:load half.checkpoint\n:set a.step 0.7\nrun:step(10)\n:set a.step { 2, 1, 0.5 }\nrun:step(7)\n:set a.step.2 1.25\nrun:step(15)\n$where"

# prints FILE LINES WANT: checks that the output of LINES is WANT. Only lines that
# begin with "=", and answers about a.step, are compared.
prints() {
    said "$1" "$2" | grep -E '^(=|undone|redone|a\.|[a-z]+ is |the |cosine|there|step = |list)' >got
    printf "$3" | diff - got || { fault "after $2"; }
}
# After a change in the past, the earlier branch is an arm that follows the
# schedule of that branch, also after a restart.
old='print(("=%%g %%g"):format(run:arm("a.old"):plan().step(1), run:arm("a"):plan().step(1)))\n'
said two.lua "run:step(20)\n:set a.step.max 4\nrun:step(20)\n:rewind to 30\n:set a.step.max 5\n$old:restart\n$old" |
    grep '^=' >got
printf '=4 5\n=4 5\n' | diff - got || fault "wrong branch"
prints two.lua ':set a.step.max 3\n:set a.step 1\n:undo\n:undo\n:redo\n' \
    'a.step.max = 3 from step 0\na.step = 1 from step 0\nundone: a.step from 1 back to cs.schedule.cosine { max = 3, min = 0.5, period = 10, shape = "floor", rest = 0 }\nundone: a.step.max from 3 back to 2\nredone: a.step.max from 2 back to 3\n'
prints two.lua ":set a.step.max 3\nrun:step(5)\n:restart\nprint('=' .. run:arm('a'):plan().step(1))\n" \
    'a.step.max = 3 from step 0\n=3.0\n'
prints two.lua ":set b.step cosine max=2 min=1\n:set b.step.period 7\n:set b.step 0.5\n:restart\nprint('=' .. run:arm('b'):plan().step)\n" '=0.5\n'
prints two.lua ":look list\n:set step.3 1.5\nprint('=' .. tostring(run:arm('list'):plan().step))\n:undo\nprint('=' .. tostring(run:arm('list'):plan().step))\n" \
    'list.step.3 = 1.5 from step 0\n={ 3, 2, 1.5 }\nundone: list.step.3 from 1.5 back to 1\n={ 3, 2, 1 }\n'

# If the user replaces a tuned parameter by a schedule, the schedule and its
# fields are kept after a restart. A field of a tuned list is not kept, because
# the tuner starts again.
cat >tuned.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", shows = "s", chains = 2, seed = 4,
  target = cs.target.gaussian { dim = 2 }, budget = { steps = 400 },
  arms = { a = { kernel = cs.kernel.random_walk { step = 9 },
                 tuner = cs.tuner.acceptance { acceptance = 0.4 } } } }
END
now="print('=' .. tostring(run:arm('a'):plan().step))\n"
prints tuned.lua "run:step(400)\n:set a.step cosine max=2 min=1 period=7\n:set a.step.max 3\n:restart\nrun:step(3)\n$now" \
    'a.step follows a schedule from step 400: cosine\na.step.max = 3 from step 400\n=schedule cosine\n'
prints tuned.lua "run:step(400)\n:set a.step cosine max=2 min=1 period=7\n:restart\n:set a.step 2\n:restart\nrun:step(3)\n$now" \
    'a.step follows a schedule from step 400: cosine\na.step = 2 from step 0\n=2.0\n'

# An error gives the position, the fault and a remedy.
refuses() {
    said two.lua "$1\n" >got
    grep -qF -- "$2" got || { cat got; fault "$1: missing '$2'"; }
}
refuses ':set a.step.mx 3' "cosine has no field 'mx': did you mean 'max'?"
refuses ':set a.step.max' '`set` needs a parameter and its value'
refuses ':set a.step.max big' "max of cosine: 'big' is not a number"
refuses ':set a.step linear from=-3 to=1' 'step = -3 is out of range at step 1 of its schedule linear: use values between'
refuses ':set a.step.period 0' 'period = 0 is out of range'
refuses ':set a.step.period 2.5' 'must be a whole number'
refuses ':set a.step cosin max=3' "unknown schedule 'cosin': did you mean 'cosine'?"
refuses ':set a.step cosine max=3' "cosine needs the field 'min'"
refuses ':set a.step cosine 3' "'3' is not FIELD=VALUE: write cosine max=... min=..."
refuses ':set a.step cosine max=3 min=1 shape=smoth' "did you mean 'smooth'"
refuses ':set a.step { 1, x }' "entry 2 of the list, 'x', is not a number"
refuses ':set a.step { 1, 2' 'has no closing brace'
refuses ':set b.step.max 3' 'b.step has no schedule: set every field of a schedule'
refuses ':set odd.step.max 3' 'odd.step is set by a function of the script'
refuses ':set list.step.4 3' 'the list has no entry 4: use an index from 1 to 3'
refuses ':set c.step.max 3' "c.step"
refuses ':set a.0.6' 'set: name the parameter of a that gets the value 0.6: for example `set a.step=0.6`; the numeric parameters are step'
refuses ':set target.-2' 'set: name the parameter of target that gets the value -2: for example `set target.rho=-2`'
refuses 'run:set "a.step=linear from=-1 to=1"' 'out of range'

# The messages are the same when a run is opened.
"$program" run two.lua --set a.step.max=3 --set 'b.step=cosine max=2 min=1 period=5' --out one >log 2>&1 ||
    { cat log; fault "--set fails"; }
sed 's/max = 2, min/max = 3, min/; s/b = .*/b = cs.kernel.random_walk { step = cs.schedule.cosine { max = 2, min = 1, period = 5 } },/' two.lua >as.lua
"$program" run as.lua --out two >log 2>&1 || { cat log; fault "as.lua"; }
"$program" diff one two | grep -qE '^  (a|b): the draws are equal bit for bit' || fault "--set gives another run"

# ---- the steps that a schedule counts ----------------------------------------
# A schedule counts steps from the chain's first step, whatever the warm-up is.
# A tuned schedule counts from the last step of the tuner.
cat >clock.lua <<'END'
local cs = require "chainscope"
local function told(run)
  for _, arm in ipairs { "a", "odd" } do
    print(("=%d %s %.17g %.6g"):format(run.steps, arm, run:arm(arm):chain(1):state()[1], run:arm(arm).params.step))
  end
end
return cs.scenario { title = "t", chains = 2, seed = 4, target = cs.target.gaussian { dim = 1 },
  arms = { a = cs.kernel.random_walk { step = cs.schedule.linear { from = 3, to = 0.5, steps = 40 } },
           odd = cs.kernel.random_walk { step = function(k) return k / 8 end } },
  setup = function(run) run:every(8, told) end, budget = { steps = 48 }, screen = { "trace" } }
END
"$program" run clock.lua --warmup 0 | grep '^=' >want
grep -q '^=8 odd .* 1$' want || { cat want; fault "at step 8 k / 8 is not 1"; }
grep -q '^=48 odd .* 6$' want || { cat want; fault "at step 48 k / 8 is not 6"; }
for warmup in 5 16 47; do
    "$program" run clock.lua --warmup $warmup | grep '^=' | diff want - ||
        fault "the chain differs after a warm-up of $warmup steps"
done
printf 'run:step(48)\n' | "$program" repl clock.lua | grep '^=' | diff want - || fault "the chain differs at a prompt"
cat >tuned.lua <<'END'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 8, seed = 4, target = cs.target.ising { rows = 3, cols = 3, beta = 0.2 },
  arms = { a = { kernel = cs.kernel.dmala {}, tuner = cs.tuner.acs { period = 5 } } }, budget = { steps = 4000 } }
END
"$program" describe clock.lua >got || fault "describe clock.lua"
for line in 'step = cs.schedule.linear { from = 3, to = 0.5, steps = 40 }: counts steps from the first step of the chain' \
    '    step 1: 3' '    step 48, the last step: 0.5' '  step = a function of the script: counts' '    step 48, the last step: 6'; do
    grep -qF -- "$line" got || { cat got; fault "missing in describe: $line"; }
done
"$program" describe tuned.lua | grep -q 'step: the tuner acs finds it in the warm-up of at most [0-9]* steps; a schedule then counts steps from the end of the warm-up' ||
    fault "describe does not say that the tuner starts its schedule"
"$program" run tuned.lua | grep -q 'tuned by acs in 235 steps: step .*, balance .*, by schedules that start at step 236' ||
    { "$program" run tuned.lua | head -3; fault "the summary does not say that schedules begin with the draws"; }
printf 'run:step(3000)\n:schedules\n' | "$program" repl tuned.lua | grep -q 'found by the tuner acs; counts steps from step 236, where the draws begin' ||
    fault "schedules does not say that the tuner has started them"
exit $faults
