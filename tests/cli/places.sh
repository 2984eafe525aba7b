#!/bin/sh
# usage: places.sh PROGRAM
# Tests files of various kinds at the path of an output or an input. A table
# lists the expected outcome for each sub-command and each kind of file, and no
# other file changes.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
export XDG_STATE_HOME="$work/home" XDG_CACHE_HOME="$work/home"
mkdir home place

cat >s.lua <<'END'
local cs = require "chainscope"
local function target() return cs.target.gaussian { dim = 1 } end
return cs.scenario { title = "Places", shows = "files", source = "ours", target = target(),
  arms = { a = cs.kernel.random_walk { step = 2 } }, chains = 2, seed = 1, budget = { steps = 250 },
  claims = { { arm = "a", stat = "acceptance", at_least = 0 } },
  sbc = { replicates = 20, draws = 7, target = target,
    prior = function(draw) return { draw:normal() } end, data = function() return 0 end } }
END
printf 'a b a\nb a b\n' >words.txt
echo 'print(1)' >script
echo 'these words are mine' >foreign
"$program" run s.lua --out d >/dev/null || fault "no draws"
"$program" run s.lua --out e --seed 2 >/dev/null || fault "no draws"

# command_of NAME: runs the command, which writes to the path place/out.
command_of() {
    case $1 in
    report) set -- report s.lua --steps 5 -o place/out ;;
    shot) set -- shot s.lua --steps 5 -o place/out ;;
    sweep) set -- sweep s.lua --over a.step=1 --steps 20 -o place/out ;;
    sbc) set -- sbc s.lua -o place/out ;;
    replicate) set -- replicate s.lua -o place/out ;;
    train) set -- train words --data words.txt --set epochs=1 --out place/out ;;
    diff) set -- diff d e -o place/out ;;
    export) set -- export d -o place/out.jsonl ;;
    esac
    timeout 60 "$program" "$@" >said 2>err
}

# put COMMAND KIND: creates a file of this kind at the path to which the command
# writes, and sets $name to this path.
put() {
    rm -rf place
    mkdir place
    name=place/out
    [ "$1" != export ] || name=place/out.jsonl
    case $2 in
    missing) ;;
    own) cp "own.$1" $name ;;
    empty) : >$name ;;
    scenario) cp s.lua $name ;;
    script | foreign) cp "$2" $name ;;
    draws) cp d/a_1.csv $name ;;
    checkpoint) cp d/checkpoint $name ;;
    summary) cp d/summary.json $name ;;
    link_to_foreign) cp foreign place/behind && ln -s behind $name ;;
    link_to_own) cp "own.$1" place/behind && ln -s behind $name ;;
    link_to_nothing) ln -s behind $name ;;
    folder) mkdir $name ;;
    pipe) mkfifo $name && { cat $name >taken & } ;;
    device) mknod $name c 1 3 ;;
    esac
}

# Outcomes for each kind of file: for commands that overwrite their own kind of
# file, and for commands that require a new file.
over='missing:written own:written empty:written scenario:refused script:refused
foreign:refused draws:refused checkpoint:refused summary:refused link_to_foreign:refused
link_to_own:behind link_to_nothing:refused folder:refused pipe:through device:through'
new='missing:written own:refused empty:refused scenario:refused foreign:refused
draws:refused link_to_foreign:refused folder:refused pipe:through device:through'

state() { find . -type f ! -path './home/*' ! -name said ! -name err ! -name taken \
    ! -path "./$1" -exec md5sum {} + | sort; }

for command in report shot sweep sbc replicate train diff export; do
    rm -rf place && mkdir place
    command_of $command || fault "$command: fails: $(cat err)"
    [ $command = export ] && mv place/out.jsonl own.export || mv place/out own.$command
    cells=$over
    case $command in diff | export) cells=$new ;; esac
    for cell in $cells; do
        kind=${cell%:*} want=${cell#*:}
        [ $kind != device ] || [ "$(id -u)" = 0 ] || continue
        put $command $kind
        where=$name
        [ $want != behind ] || where=place/behind
        what=$(ls -ld $name 2>/dev/null | cut -c1-10)
        [ $want != refused ] || where=none
        before=$(state $where)
        command_of $command
        code=$?
        after=$(state $where)
        [ "$before" = "$after" ] || fault "$command, $kind: other files changed: $before / $after"
        [ "$want" = refused ] || [ $code = 0 ] || fault "$command, $kind: exit $code: $(cat err)"
        [ "$want" != refused ] || { [ $code != 0 ] && [ $code != 124 ]; } ||
            fault "$command, $kind: exit $code, not refused"
        [ "$want" != refused ] || grep -q 'place/out' err || fault "$command, $kind: says $(cat err)"
        [ -z "$what" ] || [ "$what" = "$(ls -ld $name | cut -c1-10)" ] ||
            fault "$command, $kind: $what became $(ls -ld $name)"
        [ "$want" != written ] || [ -s $name ] || fault "$command, $kind: nothing is written"
        [ $kind != pipe ] || { wait && [ -s taken ]; } || fault "$command: no data in the pipe"
        [ "$(ls -A place | grep -c -v -e '^out' -e '^behind$')" = 0 ] || fault "$command, $kind: left $(ls -A place)"
    done
done

# An overwritten file keeps its mode. The mode of a new file is given by the
# umask.
put report own
chmod 640 $name
command_of report
[ "$(stat -c %a $name)" = 640 ] || fault "the mode became $(stat -c %a $name)"
put report missing
(umask 027; command_of report)
[ "$(stat -c %a $name)" = 640 ] || fault "wrong mode of a new file's mode is $(stat -c %a $name)"

# In a folder, files of a run are not overwritten without --force. Other files
# are not overwritten even with --force.
rm d/checkpoint
before=$(state none)
"$program" run s.lua --out d --seed 7 >said 2>err && fault "draws are overwritten"
[ "$before" = "$(state none)" ] || fault "a refused run changed files"
"$program" run s.lua --out d --seed 7 --force >said 2>err || fault "--force: $(cat err)"
mkdir f
cp foreign f/a_2.csv
before=$(state none)
for force in "" --force; do
    "$program" run s.lua --out f $force >said 2>err && fault "a foreign file is overwritten $force"
    [ "$before" = "$(state none)" ] || fault "a refused run changed files $force"
done

# Inputs must be regular files: a file that blocks or is endless is refused.
rm -rf place && mkdir place
mkfifo pipe
mkdir folder
for input in pipe folder none foreign /dev/zero; do
    while read -r line; do
        case "$input $line" in "foreign train"*) continue ;; esac # a file of words
        # shellcheck disable=SC2086
        timeout 20 "$program" $(echo "$line" | sed "s,INPUT,$input,") >said 2>err </dev/null
        code=$?
        [ $code != 0 ] && [ $code -lt 124 ] && [ -s err ] || fault "$line of $input: exit $code: $(cat err)"
    done <<'END'
run INPUT
describe INPUT
check INPUT
report INPUT -o place/new
shot INPUT -o place/new
sweep INPUT --over a.step=1
sbc INPUT
export INPUT -o place/new.jsonl
export INPUT -o place/new.nc
resample INPUT --out place/new
diff INPUT d
merge s.lua INPUT --out place/new
train words --data INPUT --out place/new
run s.lua --replay INPUT
END
    [ -z "$(ls place)" ] || fault "of $input is written: $(ls place)"
done
exit $faults
