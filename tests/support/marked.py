"""usage: marked.py PROGRAM
Tests texts that contain markup, in every output format; see cli/marked.sh."""
import fcntl
import html.parser
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import xml.dom.minidom

from runs import Runs, end, expect

runs = Runs(sys.argv[1])
os.environ.update(XDG_STATE_HOME=os.getcwd(), XDG_CACHE_HOME=os.getcwd())
MARKS = "<b>&\"'|_*`\\-\\]](x)"
FILE = "m<b>&'_.lua"


def lua(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def marked(letter):
    return letter + MARKS + letter


SCENARIO = '''local cs = require "chainscope"
local function posterior(y)
  return cs.target { space = cs.categorical(1, 5), traced = false,
    log_density = function(x) return -0.5 * (y - x[1]) ^ 2 end }
end
return cs.scenario {
  title = %s, shows = %s, source = %s, target = posterior(2), chains = 2, seed = 4, warmup = 0,
  budget = { steps = 250 }, arms = { g = cs.kernel.gibbs {}, h = cs.kernel.gibbs {} },
  screen = { "state", "summary", "trace" }, setting = %s,
  claims = { { arm = "g", stat = "acceptance", at_least = 0.1, paper = %s, note = %s } },
  sbc = { replicates = 20, target = posterior, draws = 31,
    prior = function(draw) return { draw:below(5) - 1 } end,
    data = function(theta, draw) return theta[1] + draw:normal() end,
    quantities = { [%s] = function(row) return row[1] end } },
}
''' % tuple(lua(marked(c)) for c in "TSPEQNK")
with open(FILE, "w") as f:
    f.write(SCENARIO)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.inside = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.text.append(data)


def has(text, letters, what):
    for c in letters:
        expect(marked(c) in text, "%s: no %s" % (what, marked(c)))


def svg(path, letters):
    try:
        dom = xml.dom.minidom.parse(path)
    except xml.parsers.expat.ExpatError as why:
        return expect(False, "%s: %s" % (path, why))
    expect(not dom.getElementsByTagName("b"), path + ": a text became an element")
    text = ""
    for node in dom.getElementsByTagName("text"):
        text += "".join(n.data for n in walk(node)) + "\n"
    has(text, letters, path)
    return text


def walk(node):
    if node.nodeType == node.TEXT_NODE:
        yield node
    for child in node.childNodes:
        yield from walk(child)


def page(path, letters):
    with open(path) as f:
        text = f.read()
    read = Page(text)
    expect("b" not in read.tags, path + ": a text became an element")
    has("".join(read.text), letters, path)
    for picture in re.findall(r"<svg.*?</svg>", text, re.S):
        with open("part.svg", "w") as f:
            f.write(picture)
        svg("part.svg", "")


def unescaped(text):
    return re.sub(r"\\(.)", r"\1", text.replace("\\textbackslash{}", "\\\\"))


def markdown(text, letters, what):
    """Checks Markdown text. Code is removed first, since it contains no markup."""
    prose = re.sub(r"```.*?```|`\./[^`\n]*`", "", text, flags=re.S)
    expect("<b>" not in prose, what + ": an unescaped tag in Markdown")
    expect("](x" not in prose.replace("\\](x", ""), what + ": an unescaped link in Markdown")
    has(unescaped(prose), letters, what)


def pictures():
    runs.call("shot", FILE, "--steps", "0", "--size", "150x40", "-o", "shot.svg")
    svg("shot.svg", "TS")
    has(runs.call("shot", FILE, "--steps", "0", "--size", "150x40"), "TS", "a shot as text")
    runs.call("report", FILE, "-o", "page.html")
    page("page.html", "TQ")
    with open("page.html") as f:
        title = re.search(r"<title>(.*?)</title>", f.read(), re.S)
    expect(title and marked("T") in html.unescape(title.group(1)), "the page's title")


def summaries():
    said = runs.call("run", FILE, "--out", "out")
    has(said, "QN", "run")
    with open("out/summary.json") as f:
        claim = json.load(f)["claims"][0]
    expect(claim["paper"] == marked("Q"), "JSON: %s" % claim)
    for name in "markdown", "latex", "html":
        made = subprocess.run([runs.program, "repl", FILE], capture_output=True,
                              input=(";run:step(250)\n:summary %s\n" % name).encode())
        text = made.stdout.decode()
        if name == "html":
            with open("summary.html", "w") as f:
                f.write(text)
            page("summary.html", "Q")
        elif name == "markdown":
            markdown(text, "Q", "a summary")
        else:
            row = next(line for line in text.split("\n") if "acceptance" in line and "&" in line)
            expect(len(re.split(r"(?<!\\)&", row)) == 6, "LaTeX, wrong number of cells: " + row)
            expect(re.search(r"Q.*b.*\\&.*\\_.*\\textbackslash.*Q", row) and
                   not re.search(r"(?<!\\)[_#%]", row), "LaTeX: " + row)


def replicated():
    found = json.loads(runs.call("replicate", FILE, "--quick", "--format", "json"))["scenarios"][0]
    expect(found["title"] == marked("T") and found["claims"][0]["note"] == marked("N") and
           found["claims"][0]["paper"] == marked("Q"), "replicated: %s" % found)
    has(runs.call("replicate", FILE, "--quick"), "TQNE", "replicated as text")
    markdown(runs.call("replicate", FILE, "--quick", "--format", "markdown"), "TQNE", "replicated")


def swept():
    over = ("--over", "chains=2,4", "--figures", "acceptance", "--out", "swept")
    runs.call("sweep", FILE, *over)
    for form in "svg", "html", "md", "json":
        runs.call("sweep", FILE, *over, "--resume", "-o", "sweep." + form)
    svg("sweep.svg", "")
    page("sweep.html", "")
    with open("sweep.html") as f:
        expect(FILE in "".join(Page(f.read()).text), "a sweep's page: no " + FILE)
    with open("sweep.md") as f:
        text = f.read()
    expect(FILE in unescaped(text) and "<b>" not in text, "a sweep in Markdown: " + text[:200])
    with open("sweep.json") as f:
        expect(json.load(f)["scenario"] == FILE, "a sweep in JSON")


def calibrated():
    runs.call("sbc", FILE, "--out", "sbc")
    for form in "svg", "html", "md", "json":
        runs.call("sbc", FILE, "--out", "sbc", "--resume", "-o", "sbc." + form)
    svg("sbc.svg", "K")
    page("sbc.html", "K")
    with open("sbc.md") as f:
        markdown(f.read(), "K", "a calibration")
    with open("sbc.json") as f:
        names = {q["quantity"] for q in json.load(f)["quantities"]}
    expect(marked("K") in names, "a calibration in JSON: %s" % names)


def recorded():
    """A recording contains the output of the screen; each of its lines is JSON."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color")
        os.execv(runs.program, [runs.program, FILE])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 150, 0, 0))

    def written():
        if not os.path.exists("x.cast"):
            return b""
        with open("x.cast", "rb") as f:
            return f.read()

    seen, sent, until = b"", 0, time.time() + 30
    keys = [(lambda: b"paused" in seen, b":record x.cast\r"), (written, b"."),
            (lambda: b'"T"' in written(), b"QQ")]
    while time.time() < until:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                break
        if sent < len(keys) and keys[sent][0]():
            os.write(terminal, keys[sent][1])
            sent += 1
    expect(sent == len(keys), "the screen accepted %d of 3 commands: %s" % (sent, seen[-300:]))
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        time.sleep(0.05)
        if time.time() > until:
            os.kill(pid, signal.SIGKILL)
    with open("x.cast") as f:
        lines = [json.loads(line) for line in f]
    shown = "".join(line[2] for line in lines[1:] if line[1] == "o")
    has(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown), "T", "a recording")
    script = "".join(line[2] for line in lines[1:] if line[1] == "T")
    own = [line[1:] for line in script.split("\n") if line.startswith("|")]
    expect("\n".join(own).replace("\\x5c", "\\").strip() == SCENARIO.strip(),
           "the scenario in the recording differs: %s" % script)


pictures()
summaries()
replicated()
swept()
calibrated()
recorded()
end()
