#!/bin/sh
# usage: bench.sh PROGRAM
# Tests options and output of the bench: cases given as words and by --only;
# text, CSV and JSON. Uses the cheapest case, and does not check the measured
# values.
set -u
program=$1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
faults=0
fault() {
  echo "$*"
  faults=1
}
# bench FILE ARGUMENTS...: writes the output to FILE.
bench() {
  file=$folder/$1
  shift
  "$program" bench --rounds 1 "$@" > "$file" 2> "$folder/err" ||
    fault "bench $*: $(cat "$folder/err")"
}
bench words B11
bench only --only B11
bench two --only B11,uniform --format csv
bench json --only B11,uniform --json
# The lines below the column headings are those of the requested case.
for file in words only; do
  sed '1,/^case/d' "$folder/$file" | cut -d ' ' -f 1 | sort -u > "$folder/ids"
  [ "$(cat "$folder/ids")" = B11 ] || fault "of $file: $(cat "$folder/$file")"
done
[ "$(cut -d, -f1 "$folder/two" | sort -u | tr '\n' ' ')" = 'B11 case uniform ' ] ||
  fault "of --only A,B: $(cat "$folder/two")"
# JSON and CSV have the same fields. In JSON, fields about the machine appear
# only once.
for field in $(head -1 "$folder/two" | tr , ' ') version gflops rounds blas missed left_out; do
  grep -q "\"$field\": " "$folder/json" || fault "missing '$field': $(cat "$folder/json")"
done
[ "$(grep -c '"case": ' "$folder/json")" -eq "$(grep -c '"$' "$folder/two")" ] ||
  fault "not all rows: $(cat "$folder/json")"
# The output is read by the project's own reader of JSON.
lua=$(command -v lua5.4 || command -v lua || :)
[ -z "$lua" ] || "$lua" - "$folder/json" <<'END' || fault "no JSON: $(cat "$folder/json")"
-- As a table of Lua, when brackets and colons are written as Lua has them.
local text = io.open(arg[1]):read "a"
text = text:gsub('("[^"]*"):', "[%1] ="):gsub("%[\n", "{\n")
text = text:gsub("\n  %],", "\n  },"):gsub("null", "false")
local bench = assert(load("return " .. text))()
assert(#bench.rows >= 3 and bench.rounds == 1 and bench.gflops > 0)
for _, row in ipairs(bench.rows) do
  assert(type(row.ours) == "number" and row.ours > 0 and row.case and row.unit)
  assert(row.met == true or row.met == false or row.must == false)
end
END
# refuse CODE TEXT ARGUMENTS...: expects the exit code and TEXT in the message.
refuse() {
  code=$1 text=$2
  shift 2
  "$program" bench "$@" > "$folder/out" 2> "$folder/err"
  got=$?
  [ $got -eq "$code" ] || fault "bench $*: exit code $got, want $code"
  grep -qF -- "$text" "$folder/err" || fault "bench $*: $(cat "$folder/err")"
}
refuse 2 'cannot be combined' --csv --json
refuse 2 'is not a list of case names' --only B11,,B12
refuse 2 'must be between 1 and 31' --rounds 0 B11
refuse 1 "no case begins with 'B99'" --only B99
# The program starts chainscope-bench, which in some cases starts the program.
# If one of the two is missing, the other one names it and says how to build it.
# The help and the message for a wrong option are printed without the other
# program.
"$program" bench --help > "$folder/help"
executable=$(dirname "$program")/chainscope-bench
mkdir "$folder/program" "$folder/bench"
cp "$program" "$folder/program" && cp "$executable" "$folder/bench" || exit 1
ln -s "$program" "$folder/link"
program=$folder/link
refuse 1 "no case begins with 'B99'" B99
program=$folder/program/chainscope
refuse 1 "chainscope-bench is not in the program's folder" B11
refuse 1 'cmake --build build --target chainscope-bench' B11
refuse 2 "did you mean '--rounds'?" --round 3
"$program" bench --help | cmp - "$folder/help" || fault "the help differs without the bench"
"$executable" --help | cmp - "$folder/help" || fault "the help of chainscope-bench differs"
[ "$(wc -l < "$folder/help")" -ge 20 ] || fault "the help: $(cat "$folder/help")"
printf 'no program' > "$folder/program/chainscope-bench"
refuse 1 'cannot run' B11
for case in B11 W5; do
  "$folder/bench/chainscope-bench" --rounds 1 $case > "$folder/out" 2> "$folder/err"
  got=$?
  [ $got -eq 1 ] || fault "$case without the program: exit code $got"
  grep -q 'chainscope is not in the folder of chainscope-bench' "$folder/err" ||
    fault "$case without the program: $(cat "$folder/err")"
done
exit $faults
