"""Runs the program for tests that read its output."""
import csv
import json
import os
import subprocess
import sys
import tempfile

faults = []


def fault(words):
    faults.append(words)
    print(words)


def expect(holds, words):
    if not holds:
        fault(words)


def close(got, want, digits, words):
    """Expects equality to this number of significant digits."""
    off = abs(got - want)
    expect(off <= 10.0 ** -digits * max(abs(want), 1e-300) or got == want,
           "%s: %r is not %r" % (words, got, want))


def end():
    sys.exit(1 if faults else 0)


class Runs:
    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)

    def call(self, *words, code=0):
        """Returns the output of the program with these arguments; code None allows any
        exit code."""
        done = subprocess.run([self.program, *words], capture_output=True)
        if code is not None and done.returncode != code:
            fault("%s: exit code %d, not %d: %s" % (
                " ".join(words), done.returncode, code, done.stderr.decode()))
        return done.stdout.decode()

    def run(self, name, body, *words, code=0):
        """Runs `return cs.scenario { body }`; returns its output and summary.json."""
        with open(name + ".lua", "w") as f:
            f.write('local cs = require "chainscope"\nreturn cs.scenario {\n'
                    '  title = "%s", shows = "it",\n%s\n}\n' % (name, body))
        said = self.call("run", name + ".lua", "--out", name, "--force", *words,
                         code=code)
        with open(name + "/summary.json") as f:
            return said, json.load(f)


def draws(folder, arm, chain):
    """Returns the draws of a chain as a list of dictionaries, numbers by column."""
    with open("%s/%s_%d.csv" % (folder, arm, chain)) as f:
        rows = csv.DictReader(line for line in f if not line.startswith("#"))
        return [{k: float(v) for k, v in row.items()} for row in rows]


def block(said, arm):
    """Returns the printed lines of an arm, including the first one."""
    lines, inside = [], False
    for line in said.split("\n"):
        if line.startswith(arm + " ("):
            inside = True
        elif line and not line.startswith(" "):
            inside = False
        if inside:
            lines.append(line)
    return lines
