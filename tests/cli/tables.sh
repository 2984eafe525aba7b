#!/bin/sh
# usage: tables.sh PROGRAM SCENARIO
# Compares every cell of every table and file of a run with the JSON and the
# draws of the same run.
command -v python3 >/dev/null || {
    echo "skipped: there is no python3"
    exit 77
}
exec python3 "$(dirname "$0")/../support/tables.py" "$1"
