#!/bin/sh
# usage: gallery.sh PROGRAM
# Runs every fourth scenario of the gallery for a few steps, in builds with a
# sanitizer that checks memory. In builds without such a sanitizer the tests
# scenario/* judge the claims. GALLERY=all runs every scenario, which takes 15
# minutes; GALLERY='acs/*' runs these scenarios.
program=$1
gallery=$(cd "$(dirname "$0")/../../scenarios" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
case ${GALLERY:-} in
all) files='*/*' ;;
*) files=${GALLERY:-*/*} ;;
esac
failed=0
n=0
for file in "$gallery"/$files.lua; do
    n=$((n + 1))
    [ -n "$GALLERY" ] || [ $((n % 4)) -eq 1 ] || continue
    began=$(date +%s%3N)
    # Scenarios with much data are stopped after ten seconds, as by Ctrl-C.
    timeout -s INT 10 "$program" run "$file" --steps 8 --warmup 2 >said 2>&1
    status=$?
    name=${file#"$gallery"/}
    took=$(($(date +%s%3N) - began))
    # Code 1: an arm has no draws after eight steps, or data are missing. Code
    # 124: stopped.
    if { [ $status -gt 1 ] && [ $status -ne 124 ]; } || grep -q -e 'runtime error' -e Sanitizer said; then
        echo "$name: status $status"
        head -n 40 said
        failed=1
    elif [ $took -gt 5000 ]; then
        echo "$name: $took ms"
    fi
done
exit $failed
