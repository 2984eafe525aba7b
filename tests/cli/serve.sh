#!/bin/sh
# usage: serve.sh PROGRAM SCENARIO
# Tests `watch --serve`: the page follows a growing run, requests of other sites
# are refused, and names in files create no element.
command -v python3 >/dev/null || {
    echo "skipped: there is no python3"
    exit 77
}
"$1" watch "$(dirname "$0")" --serve --plain 2>&1 | grep -q 'exclude each other' || {
    echo "--serve and --plain do not exclude each other"
    exit 1
}
exec python3 "$(dirname "$0")/../support/serve.py" "$1"
