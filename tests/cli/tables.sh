#!/bin/sh
# usage: tables.sh PROGRAM SCENARIO
# Every cell of every table and file of a run, compared with the JSON and the
# draws of the same run.
command -v python3 >/dev/null || {
    echo "skipped: there is no python3"
    exit 77
}
exec python3 "$(dirname "$0")/../support/tables.py" "$1"
