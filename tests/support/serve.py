"""usage: serve.py PROGRAM
Tests the page of a watched run over HTTP; see cli/serve.sh."""
import html.parser
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time

from runs import Runs, end, expect, fault

runs = Runs(sys.argv[1])
os.environ.update(XDG_STATE_HOME=os.getcwd(), XDG_CACHE_HOME=os.getcwd())
LIMIT = 60  # seconds until a change must be on the page
HOSTILE = ["<img/src=x/onerror=alert(1)>", "</script><script>alert(2)</script>", "&lt;b&gt;",
           "\"'onload=alert(3) x='"]  # blanks and quotes are replaced by "_" in names


class Server:
    """A running `watch FOLDER --serve`."""

    def __init__(self, folder, *words):
        self.err = open("server.err", "w+")
        self.process = subprocess.Popen([runs.program, "watch", folder, *words],
                                        stdout=subprocess.PIPE, stderr=self.err, text=True)
        self.url = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/", self.url)
        self.port = int(found.group(1)) if found else 0
        if not found:
            fault("no address: '%s' %s" % (self.url, self.said()))

    def said(self):
        self.err.seek(0)
        return self.err.read()

    def ask(self, path, method="GET", host=None, **headers):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        if host is not None:
            headers["Host"] = host
        c.request(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        answer = c.getresponse()
        answer.text = answer.read().decode()
        c.close()
        return answer

    def raw(self, request):
        """Sends bytes; returns the first line of the answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT) as s:
            s.sendall(request)
            try:
                return s.makefile("rb").readline().decode()
            except ConnectionResetError:
                return ""

    def until(self, pattern):
        """Asks for the contents until they match; returns the answer."""
        limit = time.time() + LIMIT
        while time.time() < limit:
            answer = self.ask("/body")
            if re.search(pattern, answer.text):
                return answer
            time.sleep(0.2)
        fault("no '%s' on the page: %s; %s" % (pattern, answer.text[:600], self.said()))
        self.process.kill()
        end()

    def stop(self, number=signal.SIGINT, code=130):
        self.process.send_signal(number)
        try:
            got = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            got = "no"
        said = self.said()
        expect(got == code, "exit code %s, not %s: %s" % (got, code, said))
        expect("Sanitizer" not in said and "runtime error" not in said, said)
        return said


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attrs, self.text = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attrs += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data):
        self.text.append(data)


def write(folder, columns, rows, first=False, chains=4):
    """Appends draws to the CSV files of another program. The chains agree."""
    os.makedirs(folder, exist_ok=True)
    for k in range(1, chains + 1):
        rng = random.Random(1000 * k + rows + first)
        with open("%s/toy-%d.csv" % (folder, k), "w" if first else "a") as f:
            if first:
                f.write("# model = toy\n# method = sample (Default)\n# id = %d\nlp__,%s\n" % (
                    k, ",".join('"%s"' % c.replace('"', '""') if '"' in c else c
                                for c in columns)))
            for _ in range(rows):
                x = [rng.gauss(0, 1) for _ in columns]
                f.write(",".join("%.6f" % v for v in [-sum(v * v for v in x) / 2] + x) + "\n")


def growing():
    write("grow", ["mu", "tau"], 20, first=True)
    s = Server("grow", "--serve")
    first = s.until(r"draw 20: waiting for more draws")
    expect("few draws" in first.text, "20 draws are enough: %s" % first.text[:900])
    expect("Last message" not in first.text, "the opening is a message")
    tag = first.getheader("ETag")
    again = s.ask("/body", If_None_Match=tag)
    expect(again.status == 304 and not again.text, "no 304: %d" % again.status)
    expect(again.getheader("ETag") == tag, "304 without its tag")
    write("grow", ["mu", "tau"], 3000)
    later = s.until(r"draw 3020: waiting for more draws")
    expect(later.getheader("ETag") != tag, "the tag stays")
    expect(s.ask("/body", If_None_Match=tag).status == 200, "a changed page gives 304")
    expect("is good: R-hat" in later.text, "no verdict: %s" % later.text[:900])
    expect("few draws" not in later.text, "the old verdict stays")
    whole = s.ask("/")
    expect(later.text in whole.text, "/ and /body differ")
    replace(s)
    said = s.stop()
    expect("ended by Ctrl-C at draw" in said, "Ctrl-C: %s" % said)
    with socket.socket() as probe:
        expect(probe.connect_ex(("127.0.0.1", s.port)) != 0, "the port remains open")


def replace(s):
    """The folder is removed and written again, as a restarted run does."""
    for k in range(1, 5):
        os.remove("grow/toy-%d.csv" % k)
    write("grow", ["mu", "tau"], 50, first=True)
    s.until(r"draw 50: waiting for more draws")
    write("grow", ["mu", "tau"], 50)
    s.until(r"draw 100: waiting for more draws")


def own_run():
    runs.run("own", "  target = cs.target.mixture { means = { { -1 }, { 1 } } }, chains = 4, seed = 2,\n"
             "  arms = { walk = cs.kernel.random_walk { step = 2 } }, budget = { steps = 800 }")
    s = Server("own", "--serve=0")
    s.until(r"draw \d+: the run has ended")
    paths(s)
    refusals(s)
    limits(s)
    local_only(s)
    said = s.stop(signal.SIGTERM, 143)
    expect("ended by SIGTERM" in said, "SIGTERM: %s" % said)


def paths(s):
    report, data = s.ask("/report.html"), s.ask("/data.json")
    expect("attachment" in report.getheader("Content-Disposition", ""), "no download")
    expect("script" not in Page(report.text).tags, "the download has a script")
    expect("<figure>" in report.text and report.text.endswith("</body></html>\n"), "half a page")
    runs.call("report", "own", "-o", "report.html")
    with open("report.html") as f:
        whole = f.read().replace("# set default_warmup=usual\n", "")
    expect(whole == report.text, "report writes another page")
    expect(data.getheader("Content-Type") == "application/json", "the type of JSON")
    expect([a["arm"] for a in json.loads(data.text)["arms"]] == ["walk"], "data.json")
    page = s.ask("/")
    scripts = [v for tag, name, v in Page(page.text).attrs if tag == "script" and name == "src"]
    expect(scripts == ["/live.js"] and Page(page.text).tags.count("script") == 1,
           "other scripts: %s" % scripts)
    expect(s.ask("/live.js").getheader("Content-Type").startswith("text/javascript"), "no script")
    expect('<noscript><meta http-equiv="refresh"' in page.text, "no refresh without a script")
    expect(s.ask("/?x=1").status == 200, "a query is refused")
    for name, value in [("Content-Security-Policy", "default-src 'none'"),
                        ("X-Content-Type-Options", "nosniff"),
                        ("Cross-Origin-Resource-Policy", "same-origin")]:
        for answer in page, data, s.ask("/x"), s.ask("/", host="evil.example"):
            expect(value in answer.getheader(name, ""), "no %s" % name)
    expect("http" not in re.sub(r"xmlns=\"[^\"]*\"|http-equiv", "", page.text),
           "the page names another site")


def refusals(s):
    for host in "evil.example", "localhost.evil.example:%d" % s.port, "127.0.0.1:", "":
        for path in "/", "/body", "/data.json", "/none":
            answer = s.ask(path, host=host)
            expect(answer.status in (400, 403) and "<h1>" not in answer.text,
                   "Host '%s': %d" % (host, answer.status))
    expect(s.ask("/", host="evil.example").status == 403, "another Host")
    for host in "localhost:%d" % s.port, "127.0.0.1", "localhost:9000":
        expect(s.ask("/", host=host).status == 200, "Host %s is refused" % host)
    line = s.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
    expect(" 403 " in line or " 400 " in line, "two hosts: " + line)
    expect(" 40" in s.raw(b"GET / HTTP/1.0\r\n\r\n"), "no Host is accepted")
    for method in "POST", "PUT", "DELETE", "OPTIONS", "TRACE":
        answer = s.ask("/", method)
        expect(answer.status == 405 and answer.getheader("Allow") == "GET, HEAD",
               "%s: %d" % (method, answer.status))
    head = s.ask("/", "HEAD")
    expect(head.status == 200 and not head.text and int(head.getheader("Content-Length")) > 1000,
           "HEAD: %d" % head.status)
    for path in "/../own.lua", "/own.lua", "//body", "/body/", "/%2e%2e/own.lua", "/report.html/", "":
        line = s.raw(b"GET " + (path or "x").encode() + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        expect(" 404 " in line or " 400 " in line, "'%s': %s" % (path, line))


def limits(s):
    """Long heads are refused; connections that say nothing do not stop the server."""
    line = s.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + 200000 * b"a" + b"\r\n\r\n")
    expect(line == "" or re.search(r" 4\d\d ", line), "a long head: " + line)
    line = s.raw(b"GET /" + 200000 * b"a" + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    expect(line == "" or re.search(r" 4\d\d ", line), "a long path: " + line)
    idle = [socket.create_connection(("127.0.0.1", s.port)) for _ in range(20)]
    expect(s.ask("/").status == 200, "20 idle connections stop the server")
    for c in idle:
        c.close()
    with socket.create_connection(("127.0.0.1", s.port)) as c:
        c.sendall(b"\x00\xff\r\n\r\n")
    s.raw(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\nx")
    expect(s.ask("/").status == 200, "the server has stopped")


def local_only(s):
    """The socket is bound to 127.0.0.1."""
    bound = []
    for table in "/proc/net/tcp", "/proc/net/tcp6":
        if os.path.exists(table):
            with open(table) as f:
                rows = [line.split() for line in f]
            bound += [r[1] for r in rows if r[1].endswith(":%04X" % s.port) and r[3] == "0A"]
    expect(bound == ["0100007F:%04X" % s.port], "bound to %s" % bound)


def hostile():
    folder = "f<img src=y onerror=alert(4)>"
    write(folder, HOSTILE, 300, first=True)
    s = Server(folder, "--serve=0")
    s.until("draw 300")
    for path in "/", "/body", "/report.html":
        page = Page(s.ask(path).text)
        expect("img" not in page.tags, path + ": a name is an element")
        expect(page.tags.count("script") == (path == "/"), path + ": a name is a script")
        expect(not [a for a in page.attrs if a[1].startswith("on")], path + ": a name is an attribute")
        text = "".join(page.text)
        for name in HOSTILE[:3]:
            expect(name in text, "%s: no %s" % (path, name))
    json.loads(s.ask("/data.json").text)
    s.stop()


def ports():
    a = Server("own", "--serve=0")
    runs.call("watch", "own", "--serve=%d" % a.port, code=2)
    done = subprocess.run([runs.program, "watch", "own", "--serve=%d" % a.port],
                          capture_output=True, text=True)
    expect("port %d is used by another program: choose another port" % a.port in done.stderr,
           "a used port: %s" % done.stderr)
    b, c = Server("own", "--serve"), Server("own", "--serve")
    expect(len({a.port, b.port, c.port}) == 3, "ports %d %d %d" % (a.port, b.port, c.port))
    for s in a, b, c:
        s.until(r"draw \d+: the run has ended")
        s.stop()
    for value in "65536", "x", "-1", "1.5":
        runs.call("watch", "own", "--serve=" + value, code=2)
    expect("--serve[=PORT]" in runs.call("watch", "--help"), "the help lacks --serve[=PORT]")


def files():
    """Files of another program: the page has the names of the files and of their variables, and
    the assumptions of the reader, as `watch --plain` does."""
    with open("table.csv", "w") as f:
        f.write("mu;b[1]\n" + "".join("%d;%d,5\n" % (i * 7919 % 1000, i * 7 % 13)
                                      for i in range(300)))
    s = Server("table.csv", "--serve=0")
    s.until(r"draw \d+: the run has ended")
    page = s.ask("/").text
    for words in ("chainscope report table.csv -o report.html", "draws of table.csv", ">b.1<",
                  "semicolons separate the fields"):
        expect(words in page, "the page lacks '%s'" % words)
    expect("chainscope-" not in page, "the page names a temporary folder: %s" % page)
    s.stop()
    expect("semicolons separate the fields" in s.said(), "no notes: %s" % s.said())


def killed():
    """The session dies: the program says so and ends."""
    s = Server("own", "--serve=0")
    children = subprocess.run(["pgrep", "-P", str(s.process.pid)], capture_output=True, text=True)
    os.kill(int(children.stdout.split()[0]), signal.SIGKILL)
    try:
        code = s.process.wait(LIMIT)
        expect(code == 1 and "killed by signal 9" in s.said(), "%d %s" % (code, s.said()))
    except subprocess.TimeoutExpired:
        fault("a dead session is not noticed")
        s.stop()


growing()
own_run()
hostile()
ports()
files()
killed()
end()
