"""usage: tables.py PROGRAM
Compares tables and files cell by cell; see cli/tables.sh."""
import html
import json
import math
import re
import shutil
import statistics
import subprocess
import sys

from runs import Runs, block, draws, end, expect, fault

runs = Runs(sys.argv[1])

BODY = '''  target = cs.target { params = { { mu = cs.real() }, { theta = cs.real(3) }, { tau = cs.positive() } },
    log_density = function(p) return -p.mu^2 / 8 - (p.theta[1] - 1)^2 / 2 - (p.theta[2] - 2)^2 / 0.5
      - (p.theta[3] + 3)^2 / 18 - p.tau end },
  chains = 3, seed = 4, budget = { steps = 600 }, %s
  arms = { walk = cs.kernel.random_walk { step = 0.8 }, mala = cs.kernel.mala { step = 0.4 },
    nuts = cs.kernel.nuts { step = 0.5 } },
  claims = {
    { arm = "walk", stat = "acceptance", at_least = 0.1, paper = "0.7 <of> it|all", note = "once" },
    { arm = "mala", stat = "rhat", of = 2, at_most = 3, paper = "9" },
    { arm = "nuts", stat = "mean", of = 2, at_least = 90, holds = false } },'''
FIGURES = ("mean", "sd", "mcse", "rhat", "ess", "ess_bulk", "ess_tail", "5%", "50%", "95%")


def shown(got, want, what, digits=4):
    """Expects the number in a cell to this many digits, or to its printed decimals."""
    if want is None:
        expect(got == "-", "%s: %s instead of an empty cell" % (what, got))
        return
    number = float(got.replace(",", ""))
    decimals = len(got.split(".")[1]) if "." in got and "e" not in got else 0
    size = 10.0 ** (math.floor(math.log10(abs(want))) - digits + 1) if want else 0
    off = 0.51 * max(size, 10.0 ** -decimals if decimals else size)
    expect(abs(number - want) <= off, "%s: %s is not %r" % (what, got, want))


# ---- tables of a summary -----------------------------------------------------


def plain(cell):
    return html.unescape(re.sub(r"\\(.)|\$([<>|])\$", r"\1\2", cell)).strip()


def markdown(text):
    """Returns a list of tables, each a list of rows of cells."""
    tables, rows = [], []
    for line in text.split("\n") + [""]:
        if line.startswith("|"):
            rows.append([plain(c) for c in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif rows:
            tables.append([rows[0]] + rows[2:])
            rows = []
    return tables


def latex(text):
    tables = []
    for body in re.findall(r"\\begin\{tabular\}.*?\n(.*?)\\end\{tabular\}", text, re.S):
        lines = [line for line in body.split("\n") if line.endswith("\\\\")]
        tables.append([[plain(c) for c in re.split(r"(?<!\\)&", line[:-2])]
                       for line in lines])
    return tables


def pages(text):
    tables = []
    for body in re.findall(r"<table>(.*?)</table>", text, re.S):
        tables.append([[plain(c) for c in re.findall(r"<t[hd]>(.*?)</t[hd]>", row)]
                       for row in re.findall(r"<tr>(.*?)</tr>", body)])
    return tables


def records(table):
    return [dict(zip(table[0], row)) for row in table[1:]]


def arms_of(table, summary, what):
    rows = records(table)
    expect(len(rows) == len(summary["arms"]), what + ": the arms differ")
    for row, arm in zip(rows, summary["arms"]):
        name = "%s, %s" % (what, arm["arm"])
        figures = arm["variables"].values()
        whole = {"chains": "chains", "steps": "steps", "log densities": "log_densities",
                 "gradients": "gradients", "data terms": "data_terms"}
        expect(row["arm"] == arm["arm"], name + ": wrong arm, " + row["arm"])
        for head, key in whole.items():
            expect(row[head] == str(arm[key]), "%s, %s: %s is not %s" %
                   (name, head, row[head], arm[key]))
        accepted = arm["accept_stat"] if arm["kernel"] == "nuts" else arm["accepted"]
        shown(row["accepted"], accepted, name + ", accepted", 3)
        shown(row["R-hat"], max(v["rhat"] for v in figures), name + ", R-hat")
        shown(row["ESS (bulk)"], min(v["ess_bulk"] for v in figures), name + ", bulk")


def figures_of(table, arm, what):
    rows = records(table)
    expect([r["quantity"] for r in rows] == list(arm["variables"]), what + ": the rows differ")
    for row in rows:
        for figure in FIGURES:
            shown(row[figure], arm["variables"][row["quantity"]][figure],
                  "%s, %s, %s" % (what, row["quantity"], figure))


def claims_of(table, summary, what):
    keys = {"arm": "arm", "figure": "figure", "claimed": "bound", "paper": "paper",
            "verdict": "verdict"}
    rows, claims = records(table), summary["claims"]
    expect(len(rows) == len(claims), what + ": the claims differ")
    for row, claim in zip(rows, claims):
        for head, key in keys.items():
            expect(row[head] == claim.get(key, ""), "%s, %s: %s is not %s" %
                   (what, head, row[head], claim.get(key)))
        shown(row["measured"].split()[0], claim["measured"], what + ", measured")


def summary_of(tables, summary, what):
    expect(len(tables) == 2 + len(summary["arms"]), what + ": %d tables" % len(tables))
    if len(tables) < 2 + len(summary["arms"]):
        return
    arms_of(tables[0], summary, what)
    for table, arm in zip(tables[1:], summary["arms"]):
        figures_of(table, arm, "%s, %s" % (what, arm["arm"]))
    claims_of(tables[-1], summary, what)


def text_of_run(said, summary):
    for arm in summary["arms"]:
        lines = block(said, arm["arm"])
        found = re.search(r"\): (\d+) chains, (\d+) steps, .*, (\d+) log densities, (\d+) gradients",
                          lines[0])
        want = [arm[k] for k in ("chains", "steps", "log_densities", "gradients")]
        expect(found and [int(x) for x in found.groups()] == want,
               "printed: %s is not %s" % (lines[0], want))
        heads = next(line.split() for line in lines if line.split()[:2] == ["mean", "sd"])
        expect(tuple(heads) == FIGURES, "printed columns: %s" % heads)
        for name, figures in arm["variables"].items():
            row = next(line.split() for line in lines if line.split()[0] == name)
            for figure, cell in zip(heads, row[1:]):
                shown(cell, figures[figure], "printed, %s, %s, %s" % (arm["arm"], name, figure))


def summaries():
    said, summary = runs.run("tables", BODY % "warmup = 0,", code=0)
    with open("tables.lua") as f:
        expect("warmup = 0" in f.read(), "the scenario has a warm-up")
    text_of_run(said, summary)
    for name, read in ("markdown", markdown), ("latex", latex), ("html", pages):
        made = subprocess.run([runs.program, "repl", "tables.lua"], capture_output=True,
                              input=(";run:step(600)\n:summary %s\n" % name).encode())
        summary_of(read(made.stdout.decode()), summary, name)
    # The same with a discarded warm-up, for a report whose page starts with pictures.
    said, summary = runs.run("warm", BODY % "warmup = 100,")
    text_of_run(said, summary)
    runs.call("report", "warm.lua", "-o", "page.html")
    with open("page.html") as f:
        summary_of(pages(f.read()), summary, "the report")


# ---- claims of a paper -------------------------------------------------------


def replicated():
    texts = {}
    for name in "json", "markdown":
        texts[name] = runs.call("replicate", "tables.lua", "--quick", "--format", name, code=1)
    claims = json.loads(texts["json"])["scenarios"][0]["claims"]
    rows = records(markdown(texts["markdown"])[0])
    expect(len(rows) == len(claims) == 3, "the claims differ: %d, %d" % (len(rows), len(claims)))
    keys = {"arm": "arm", "figure": "figure", "claimed": "bound", "paper": "paper",
            "does it hold?": "verdict", "note": "note"}
    for row, claim in zip(rows, claims):
        for head, key in keys.items():
            expect(row[head] == claim.get(key, ""), "replicated, %s: %s is not %s" %
                   (head, row[head], claim.get(key)))
        shown(row["measured"].split()[0], claim["measured"], "replicated, measured")


# ---- files of draws ----------------------------------------------------------


def numbers_of(netcdf):
    """Returns a dictionary of variables with their numbers, in stored order."""
    text = subprocess.run(["ncdump", "-p", "9,17", netcdf], capture_output=True).stdout.decode()
    found = {}
    for name, body in re.findall(r"^ +(\w+) = ?\n?([^;\"]*);", text.split("data:", 1)[1], re.M):
        if re.match(r"[-\d\s]", body):
            found[name] = [float(x) for x in body.replace("\n", " ").split(",")]
    return found


def exported():
    """netCDF and JSON contain each number of each draw of each chain in its place."""
    csv = [draws("tables", "nuts", chain) for chain in (1, 2, 3)]
    runs.call("export", "tables", "--arm", "nuts", "-o", "draws.jsonl")
    with open("draws.jsonl") as f:
        lines = [json.loads(line) for line in f]
    expect(len(lines) == sum(len(c) for c in csv), "JSON: %d draws" % len(lines))
    for line in lines:
        row = csv[line["chain"] - 1][line["draw"] - 1]
        whole = [line["mu"], *line["theta"], line["tau"], line["lp__"]]
        want = [row[k] for k in ("mu", "theta.1", "theta.2", "theta.3", "tau", "lp__")]
        expect(whole == want, "JSON: %s is not %s" % (whole, want))
    made = subprocess.run([runs.program, "export", "tables", "--arm", "nuts", "-o", "draws.nc"],
                          capture_output=True)
    if made.returncode and b"without netCDF" in made.stderr or not shutil.which("ncdump"):
        print("netCDF is not tested: built without netCDF, or ncdump is missing")
        return
    found = numbers_of("draws.nc")
    whole = [row for chain in csv for row in chain]
    for name, columns in {"mu": ["mu"], "theta": ["theta.1", "theta.2", "theta.3"], "tau": ["tau"],
                          "lp": ["lp__"], "energy": ["energy__"], "n_steps": ["n_leapfrog__"],
                          "tree_depth": ["treedepth__"], "diverging": ["divergent__"],
                          "acceptance_rate": ["accept_stat__"],
                          "step_size": ["stepsize__"]}.items():
        want = [row[c] for row in whole for c in columns]
        expect(found.get(name) == want, "netCDF: %s differs" % name)


def files_and_figures():
    """summary.json has the same figures as the files, and the last row of a file is the
    current state of its chain."""
    with open("tables/summary.json") as f:
        summary = json.load(f)
    ask = "run:step(600)\n" + "".join(
        "for c = 1, 3 do local x = run.arms.%s.chains[c]:shown() print('%s', c, "
        "('%%.17g %%.17g %%.17g'):format(x[1], x[4], x[5])) end\n" % (a["arm"], a["arm"])
        for a in summary["arms"])
    said = subprocess.run([runs.program, "repl", "tables.lua"], capture_output=True,
                          input=ask.encode()).stdout.decode()
    for arm in summary["arms"]:
        chains = [draws("tables", arm["arm"], chain) for chain in (1, 2, 3)]
        for c, chain in enumerate(chains):
            want = "%s\t%d\t%s" % (arm["arm"], c + 1, " ".join(
                "%.17g" % chain[-1][k] for k in ("mu", "theta.3", "tau")))
            expect(want in said, "%s: the last draw is not the state of the chain" % want)
        for name, figures in arm["variables"].items():
            values = [row[name] for chain in chains for row in chain]
            for figure, of in ("mean", statistics.mean), ("sd", statistics.stdev):
                expect(abs(figures[figure] - of(values)) < 1e-8 * (1 + abs(of(values))),
                       "%s of %s: %r is not %r" % (figure, name, figures[figure], of(values)))


def heads():
    """The header of a draws file contains the settings and the number of rows."""
    runs.call("run", "tables.lua", "--thin", "3", "--steps", "900", "--seed", "8", "--warmup", "300",
              "--save-warmup", "--out", "thinned", code=None)
    for chain in 1, 2, 3:
        with open("thinned/walk_%d.csv" % chain) as f:
            lines = f.read().split("\n")
        said = dict(re.findall(r"^# +(\w+) = (.*?) *$", "\n".join(lines), re.M))
        rows = len([line for line in lines if re.match(r"[-0-9]", line)])
        want = {"num_samples": "600", "num_warmup": "300", "save_warmup": "1", "thin": "3",
                "algorithm": "random_walk", "id": str(chain), "seed": "8", "arm": "walk"}
        for key, value in want.items():
            expect(said.get(key) == value, "head: %s is %s, not %s" % (key, said.get(key), value))
        expect(rows == 300, "%d rows, not 300 (900 steps thinned by 3)" % rows)
    runs.call("verify", "thinned")
    for key, other in ("num_samples = 600", "num_samples = 603"), \
            ("num_warmup = 300", "num_warmup = 303"):
        text = "\n".join(lines)
        with open("thinned/walk_3.csv", "w") as f:
            f.write(text.replace(key, other))
        runs.call("verify", "thinned", code=1)
        with open("thinned/walk_3.csv", "w") as f:
            f.write(text)
    runs.call("verify", "thinned")


# ---- two runs ----------------------------------------------------------------


def differences():
    """Compares the means of two runs: differences, errors and verdicts, which are corrected
    for the number of comparisons."""
    runs.call("run", "tables.lua", "--seed", "1", "--out", "first", code=None)
    runs.call("run", "tables.lua", "--seed", "2", "--steps", "1500", "--out", "second", code=None)
    figures = json.loads(runs.call("diff", "first", "second", "--format", "json"))["figures"]
    text = runs.call("diff", "first", "second").split("\n")
    rows = {tuple(line.split()[:2]): line for line in text if "+-" in line}
    both = []
    for folder in "first", "second":
        with open(folder + "/summary.json") as f:
            both.append({a["arm"]: a["variables"] for a in json.load(f)["arms"]})
    expect(len(figures) == 18, "wrong number of means: %d" % len(figures))
    seen = set()
    for f in figures:
        a, b = (run[f["arm"]][f["name"]] for run in both)
        change, error = b["mean"] - a["mean"], math.hypot(a["mcse"], b["mcse"])
        what = "difference of %s, %s" % (f["arm"], f["name"])
        for got, want in (f["difference"], change), (f["error"], error), \
                (f["first"]["mean"], a["mean"]), (f["second"]["mcse"], b["mcse"]):
            expect(abs(got - want) <= 1e-7 * (1 + abs(want)), "%s: %r is not %r" % (what, got, want))
        p = math.erfc(abs(change) / error / math.sqrt(2))
        verdict = "differ" if p < 0.05 / len(figures) else "perhaps" if p < 0.05 else "alike"
        expect(f["verdict"] == verdict, "%s: %s is not %s" % (what, f["verdict"], verdict))
        seen.add(verdict)
        row = rows[f["arm"], f["name"]].replace("+-", " ").split()
        for cell, want, digits in zip(row[2:], (a["mean"], a["mcse"], b["mean"], b["mcse"], change,
                                                error), (4, 2, 4, 2, 4, 2)):
            shown(cell, want, what, digits)
        expect(verdict in row[8:][-1] or verdict + ";" in row, "%s: %s in %s" % (what, verdict, row))
    expect({"alike", "perhaps"} <= seen, "all means are " + str(seen))


summaries()
replicated()
exported()
files_and_figures()
heads()
differences()
end()
