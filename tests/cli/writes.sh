#!/bin/sh
# usage: writes.sh PROGRAM
# Tests every sub-command that writes. Each request to write (open, write,
# truncate, sync, rename) fails in turn, together with all later requests. The
# program reports this, leaves existing files unchanged, and leaves no other
# files. When there is space again, or after the program was killed at that
# point, it completes normally.
# CHAINSCOPE_WRITES=all tests every request; by default fewer of the later ones.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
export XDG_STATE_HOME="$work/home" XDG_CACHE_HOME="$work/home"

cat >s.lua <<'END'
local cs = require "chainscope"
local function target() return cs.target.gaussian { dim = 1 } end
return cs.scenario { title = "Writes", shows = "files", source = "ours", target = target(),
  arms = { a = cs.kernel.random_walk { step = 2 } }, chains = 2, seed = 1, budget = { steps = 50 },
  claims = { { arm = "a", stat = "acceptance", at_least = 0 } },
  sbc = { replicates = 20, draws = 7, target = target,
    prior = function(draw) return { draw:normal() } end, data = function() return 0 end } }
END
printf 'a b a\nb a b\n' >words.txt
"$program" run s.lua --out d >said || exit 1
"$program" run s.lua --out e --seed 2 >said || exit 1
mkdir parts
for k in 1 2; do "$program" run s.lua --part $k/2 --out parts/$k >said || exit 1; done

# Arguments of each command, which writes to the file or folder place/out.
command_of() {
    case $1 in
    report) set -- report s.lua --steps 5 -o place/out ;;
    shot) set -- shot s.lua --steps 5 -o place/out ;;
    diff) set -- diff d e -o place/out ;;
    lines) set -- export d -o place/out.jsonl ;;
    netcdf) set -- export d -o place/out.nc ;;
    train) set -- train words --data words.txt --set epochs=1 --out place/out ;;
    sweep) set -- sweep s.lua --over a.step=1,2 --steps 20 --jobs 1 --out place/out -o place/table ;;
    sbc) set -- sbc s.lua --jobs 1 --out place/out -o place/table ;;
    replicate) set -- replicate s.lua --jobs 1 --out place/out -o place/table ;;
    run) set -- run s.lua --out place/out ;;
    merge) set -- merge s.lua parts --out place/out ;;
    esac
    timeout 60 "$program" "$@" $more >said 2>err
}

# Prints the contents of the folder, without times and without the temporary
# files of a killed process.
held() {
    find place -type f ! -name lock ! -name checkpoint ! -name journal.txt ! -name manifest ! -name '.*.aside' |
        sort | while read -r f; do
        echo "$f"
        grep -av 'seconds\|^sum ' "$f" | sed 's/[0-9.]* s\b//g'
    done | md5sum
}

# try COMMAND ANEW GOES_ON: tests the command with each request to write failing.
# With ANEW the command writes into an empty folder, otherwise over an existing
# file. GOES_ON has the arguments that resume the command, or is `no` if the
# command is started again.
try() {
    command=$1 anew=$2 goes_on=$3
    more=
    rm -rf place && mkdir place && command_of "$command" || fault "$command: $(cat err)"
    want=$(held)
    n=1
    while [ $n -le 300 ]; do
        for how in KILL FAIL; do
            rm -rf place && mkdir place
            more=
            [ "$anew" ] || command_of "$command"
            export CHAINSCOPE_IO$how=$n
            command_of "$command"
            got=$?
            unset CHAINSCOPE_IOFAIL CHAINSCOPE_IOKILL
            [ $got -ne 0 ] || [ $how = FAIL ] || break 2 # all requests have been tested
            [ $got -ne 0 ] || fault "$command: request $n fails without an error"
            if [ $how = FAIL ]; then
                grep -q 'No space left' err || fault "$command: request $n fails: exit $got: $(cat err)"
                [ "$anew" ] || [ "$(held)" = "$want" ] || fault "$command: request $n fails: the old file was changed"
                [ -z "$(find place -name '.*.aside')" ] || fault "$command: request $n leaves $(find place -name '.*.aside')"
            fi
            [ "$goes_on" = no ] || more=$goes_on
            [ "$more" != --resume ] || [ "$command" != run ] || [ -e place/out/checkpoint ] || more=--force
            [ "$goes_on" != no ] || rm -rf place/out*
            command_of "$command" || fault "$command: after request $n ($how): $(cat err)"
            [ "$(held)" = "$want" ] || fault "$command: after request $n ($how) the result differs"
            left=$(find place -maxdepth 1 -name '.*.aside')
            [ -z "$left" ] || fault "$command: after request $n ($how) $left remains"
        done
        n=$((n + 1))
        [ "$CHAINSCOPE_WRITES" = all ] || n=$((n + n / 4))
    done
    [ $n -gt 3 ] && [ $n -le 300 ] || fault "$command makes $n requests to write: unexpected"
}
for command in report shot train; do try $command '' ''; done
for command in diff lines netcdf; do try $command anew no; done
for command in sweep sbc replicate run; do try $command anew --resume; done
try merge anew --force
# Files in the folder of the output are unchanged. (Two processes that write the
# same file are tested in unit/test_replace.)
rm -rf place && mkdir place
aside=.0123456789abcdef.aside
for name in out other; do echo >place/.$name$aside; done
more=
command_of report && [ ! -e place/.out$aside ] && [ -e place/.other$aside ] || fault "$(find place)"
exit $faults
