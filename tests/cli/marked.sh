#!/bin/sh
# usage: marked.sh PROGRAM SCENARIO
# Tests markup in titles, sentences, file names and names of quantities. In
# every format it is plain text: it is read back unchanged and creates no
# element.
command -v python3 >/dev/null || {
    echo "skipped: there is no python3"
    exit 77
}
exec python3 "$(dirname "$0")/../support/marked.py" "$1"
