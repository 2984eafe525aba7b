#!/bin/sh
# usage: warned.sh PROGRAM SCENARIO
# Tests that each warning appears just beyond its threshold and not just before
# it, and that its numbers are those of the draws.
command -v python3 >/dev/null || {
    echo "skipped: there is no python3"
    exit 77
}
exec python3 "$(dirname "$0")/../support/warned.py" "$1"
