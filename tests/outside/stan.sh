#!/bin/sh
# usage: stan.sh PROGRAM FOLDER
# Tests a compiled Stan model as a target: its moments, its laws and its counted
# work. Its draws do not depend on the number of workers. A file that is not a
# model, a model of another version and invalid data are refused, and exceptions
# of the model are counted.
. "$(dirname "$0")/../support/begin.sh"
models=$2
says() { grep -qE -- "$2" "$work/$1" || fault "$1 does not say '$2': $(cat "$work/$1")"; }
# alike ONE OTHER LINES WORDS: fails with WORDS unless OTHER has LINES lines and
# ONE begins with the same lines. The first line has the column names.
alike() {
    grep -v '^#' "$2" >"$work/other"
    lines=$(wc -l <"$work/other")
    [ "$lines" = "$3" ] || fault "$2: $lines lines, not $3"
    grep -v '^#' "$1" | head -n "$lines" | cmp -s - "$work/other" || fault "$2: $4"
}

# Messages of a model need only few steps. Only the scenario `small` has enough
# steps to test moments.
steps=400
# scenario NAME MODEL DATA [MORE]: writes NAME.lua, with MORE as further fields.
scenario() {
    printf '%s\n' "local cs = require 'chainscope'
return cs.scenario {
  title = '$1', chains = 4, seed = 1,
  target = cs.target { stan = '$models/$2_model.so', data = $3 },
  arms = { nuts = cs.kernel.nuts {}, walk = cs.kernel.random_walk { step = 1.2 } },
  budget = { steps = $steps }, $4
}" >"$work/$1.lua"
}
# run NAME EXIT [OPTION ...]: runs NAME.lua and checks the exit code.
run() {
    name=$1 wanted=$2
    shift 2
    "$program" run "$work/$name.lua" --trust --out "$work/$name" "$@" >"$work/out" 2>"$work/err"
    code=$?
    [ "$code" = "$wanted" ] || fault "$name: exit $code: $(cat "$work/out" "$work/err")"
}

# ---- sampling ----------------------------------------------------------------
# All lengths of run have the same warm-up, so a shorter run has the first draws
# of a longer one.
steps=4000
scenario small small '{ N = 2, y = { { 1, 2.5 }, { 1/0, -3 } }, on = true }' '
  warmup = 1000, start = { mu = 0.5, tau = 2, ["theta.1"] = 0, ["theta.2"] = 0 },
  claims = { { arm = "nuts", stat = "mean", of = "tau", near = 1, within = 0.1 },
    { arm = "nuts", stat = "mean", of = "spread", near = 2, within = 0.2 },
    { arm = "nuts", stat = "sd", of = "theta.1", near = 1.4142, within = 0.1 },
    { arm = "walk", stat = "mean", of = "tau", near = 1, within = 0.3 } }'
run small 0 --workers 2
says out 'target|walk .random_walk.: .* 16004 log densities, 0 gradients'
head -60 "$work/small/nuts_1.csv" | grep -q ',mu,tau,theta.1,theta.2,spread' || fault "the names of the columns"
cp -r "$work/small" "$work/two"
rm -r "$work/small"
run small 0 --workers 1 --steps 1200
for file in nuts_1 nuts_4 walk_2; do
    alike "$work/two/$file.csv" "$work/small/$file.csv" 201 "other draws of one worker"
done
steps=1200
scenario alone alone '{ N = 2 }' 'warmup = 1000, start = { mu = 0.5, tau = 2, ["theta.1"] = 0, ["theta.2"] = 0 },'
run alone 0 --workers 2
says out 'without STAN_THREADS, so one thread evaluates it; to use all workers, compile with make STAN_THREADS=true'
alike "$work/two/nuts_1.csv" "$work/alone/nuts_1.csv" 201 "other draws of one thread"
steps=400
"$program" check "$work/small.lua" --trust --seconds 2 >"$work/out" 2>&1 || fault "a law: $(cat "$work/out")"
says out '  gradient +holds'

# A run is interrupted and resumed. Then the library is replaced, and resuming
# is refused.
cp "$models/small_model.so" "$work/here_model.so"
scenario resumed small '{ N = 2 }' 'warmup = 0,'
sed -i "s|$models/small|here|" "$work/resumed.lua"
run resumed 0 --steps 100
run resumed 0 --steps 200 --resume
cp -r "$work/resumed" "$work/parts"
rm -r "$work/resumed"
run resumed 0 --steps 200
for file in walk_1 walk_4; do
    alike "$work/parts/$file.csv" "$work/resumed/$file.csv" 201 "other draws when resumed"
done
cp "$models/alone_model.so" "$work/here_model.so"
run resumed 1 --steps 300 --resume
says err 'model was a file of digest'

# At the prompt: a rewind restores the states bit for bit, and the densities are
# those of the model.
cat >"$work/hand" <<END
run:step(100) a = run:arm("nuts"):chain(1):state() run:step(50) run:rewind(50)
b = run:arm("nuts"):chain(1):state() print(a[1] == b[1] and a[2] == b[2] and a.tau == math.exp(a[2]) and "alike")
t = cs.target { stan = "$models/small_model.so" }
print(t:log_density { mu = 1, tau = 2, ["theta.1"] = 3, ["theta.2"] = 5 } - math.log(2))
t = cs.target { stan = "$models/small_model.so", transformed = false, name = "short" }
print(t, #t.coordinates)
END
"$program" repl "$work/small.lua" --trust <"$work/hand" >"$work/out" 2>&1
says out '^alike'
says out '^-12.5'
says out 'target short on real.4.[[:space:]]4'

# ---- refused models and data -------------------------------------------------
# refused NAME MODEL DATA WORDS [FIELDS]: the run ends before its first step,
# with WORDS in the message.
refused() {
    scenario "$1" "$2" "$3" "$5"
    run "$1" 1
    says err "$4"
}
refused old old nil 'was built with BridgeStan 1.6, not 2: compile the model with BridgeStan 2'
refused older older nil 'has no bs_major_version: it is not a model of BridgeStan 2'
refused lacking lacking nil 'has no bs_free_error_msg'
refused missing no_such nil 'cannot load .*no_such_model.so'
refused construct small '{ level = { 2 }, N = 1 }' 'must be greater' 'start = { mu = 0, tau = -1, ["theta.1"] = 0, ["theta.2"] = 0 },'
refused start small nil "there is no parameter 'spread'" 'start = { mu = 0, tau = 1, ["theta.1"] = 0, ["theta.2"] = 0, spread = 1 },'
refused data small '"no.json"' 'no.json'
refused nodata small '{ y = print }' 'data: y is a function'
refused named small '{ y = { a = 1 } }' 'data: y is a table with names'
refused list small '{ 1, 2 }' 'is not a valid name of a variable'
sed 's/transformed/&/; s/data = nil/dta = 1/' "$work/old.lua" >"$work/field.lua"
run field 1
says err "has no field 'dta': did you mean 'data'"
cp "$program" "$work/no_model.so"
printf 'not a library\n' >"$work/text_model.so"
for name in no text; do
    sed "s|$models/old|$work/$name|" "$work/old.lua" >"$work/$name.lua"
    run $name 1
    says err "cannot load|has no bs_major_version"
done
# fails DATA WORDS: as `refused`, for a model with the fault DATA.
fails() {
    printf '{"fault": "%s"}' "$1" >"$work/$1.json"
    refused "$1" small "\"$1.json\"" "$2"
}
fails construct 'construct.. failed with exception: variable does not exist; name=N'
fails names 'names 2 of its 5 parameters'
fails nameless 'without names'
fails many 'names 5 of its 1073741824 parameters'
fails negative 'reports -1 unconstrained parameters'
fails none 'has no parameters to sample'

# Without --trust no model is loaded.
"$program" run "$work/small.lua" >"$work/out" 2>"$work/err" && fault "run without --trust"
says err 'small.lua:4: a compiled Stan model .*: if you trust this scenario, start chainscope with --trust'

# ---- exceptions of the model -------------------------------------------------
# throws FAULT EXIT WORDS [FIELDS]: runs the model with this fault, and expects
# the exit code and WORDS.
throws() {
    printf '{"fault": "%s"}' "$1" >"$work/$1.json"
    scenario "$1" small "\"$1.json\"" "$4"
    run "$1" "$2" --force
    cat "$work/err" >>"$work/out"
    says out "$3"
}
throws throw 0 'reason, the last time: Exception: normal_lpdf: Location parameter is inf .x1b'
says out 'of 1,440 steps met a NaN log density or gradient and were rejected'
throws silent 0 'reason, the last time: an error without a message'
throws nan 0 'steps met a NaN log density or gradient'
throws infinite 1 'log density is .infinity in chain 1 of arm'
throws constrain 0 'draws of mu .the first of several quantities. are infinite or NaN'
throws throw 1 'chain [1-4] of arm walk at step .*; reason: Exception: normal_lpdf' 'strict = true,'
throws throw 1 'chain 1 cannot start: its log density is not a number: Exception: normal_lpdf' 'start = { 2, 0, 0, 0 },'
scenario slope small '"slope.json"'
printf '{"fault": "slope"}' >"$work/slope.json"
"$program" check "$work/slope.lua" --trust --law gradient >"$work/out" 2>&1 && fault "a wrong gradient holds"
says out 'gradient +BROKEN  along'
exit $faults
