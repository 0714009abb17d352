# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium by the DevTools protocol over two pipes (no port, no driver), and pictures of it as pixels."""
import base64
import json
import os
import pathlib
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib


class BrowserError(Exception):
    """The browser is not there, or does not answer."""


class Browser:
    """One page of a browser. Messages, exceptions and requests of the page are kept in `console` and `requests`."""

    def __init__(self, limit=90):
        path = shutil.which("chromium")
        if path is None:
            raise BrowserError("there is no command 'chromium'; remedy: scripts/deps.sh browser")
        self.limit, self.next, self.console, self.requests, self.rest, self.events = limit, 1, [], [], b"", []
        self.home = tempfile.mkdtemp(prefix="wghtml")
        theirs, self.out = os.pipe()
        self.back, ours = os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions", "--disable-dev-shm-usage",
                 "--disable-background-networking", "--disable-component-update", f"--user-data-dir={self.home}", "--remote-debugging-pipe", "about:blank"]
        # the browser reads descriptor 3 and writes 4; by way of 8 and 9, since the pipes may be either of them here
        self.child = subprocess.Popen(["bash", "-c", f'exec 8<&{theirs} 9>&{ours}; exec "$@" 3<&8 4>&9 8<&- 9>&-', "bash", path, *flags], pass_fds=(theirs, ours),
                                      stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=self.home))
        os.close(theirs)
        os.close(ours)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Network", "Page"):
            self.call(f"{domain}.enable")

    def close(self):
        try:
            self.child.terminate()
            self.child.wait(20)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        os.close(self.out)
        os.close(self.back)
        shutil.rmtree(self.home, ignore_errors=True)

    def receive(self, until):
        """The next message as a dictionary."""
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                raise BrowserError(f"no answer within {self.limit} s")
            chunk = os.read(self.back, 1 << 16)
            if not chunk:
                raise BrowserError(f"the browser ended with {self.child.wait()}")
            self.rest += chunk
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def note(self, m):
        name, p = m.get("method", ""), m.get("params", {})
        self.events.append(name)
        if name == "Runtime.exceptionThrown":
            self.console.append("exception: " + p["exceptionDetails"]["text"])
        elif name == "Runtime.consoleAPICalled":
            self.console.append(f"{p['type']}: {[a.get('value') for a in p['args']]}")
        elif name == "Log.entryAdded":
            self.console.append(f"{p['entry']['level']}: {p['entry']['text']}")
        elif name == "Network.requestWillBeSent":
            self.requests.append(p["request"]["url"])

    def call(self, method, **params):
        """Call a method of the browser's protocol. @return its result; BrowserError if it refuses or is silent"""
        number, self.next = self.next, self.next + 1
        m = {"id": number, "method": method, "params": params}
        if self.session:
            m["sessionId"] = self.session
        data = json.dumps(m).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        until = time.monotonic() + self.limit
        while True:
            m = self.receive(until)
            if m.get("id") == number:
                if "error" in m:
                    raise BrowserError(f"{method}: {m['error'].get('message')}")
                return m["result"]
            self.note(m)

    def open(self, path):
        """Load a file and wait until it is drawn."""
        self.console, self.requests, self.events = [], [], []
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        until = time.monotonic() + self.limit
        while "Page.loadEventFired" not in self.events:
            self.note(self.receive(until))

    def media(self, scheme="light", kind="screen"):
        self.call("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def width(self, pixels):
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=900, deviceScaleFactor=1, mobile=False)

    def evaluate(self, text):
        r = self.call("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in r:
            raise BrowserError(str(r["exceptionDetails"])[:600])
        return r["result"].get("value")

    def picture(self, x, y, w, h):
        """Pixels of a part of the page: (width, height, rows of bytes RGB)."""
        r = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip={"x": x, "y": y, "width": w, "height": h, "scale": 1})
        return png(base64.b64decode(r["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"])


def png(data):
    """Decode a PNG of 8 bits a channel, not interlaced: (width, height, rows of RGB bytes)."""
    at, image = 8, b""
    width = height = step = 0
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, lace = struct.unpack(">IIBBBBB", body)
            if depth != 8 or colour not in (2, 6) or lace:
                raise BrowserError("a PNG of another form")
            step = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            image += body
        at += 12 + n
    raw, line, rows, above = zlib.decompress(image), width * step, [], bytearray(width * step)
    for y in range(height):
        how, row = raw[y * (line + 1)], bytearray(raw[y * (line + 1) + 1:(y + 1) * (line + 1)])
        if how == 1:
            for i in range(step, line):
                row[i] = row[i] + row[i - step] & 255
        elif how == 2:
            for i in range(line):
                row[i] = row[i] + above[i] & 255
        elif how == 3:
            for i in range(line):
                row[i] = row[i] + ((row[i - step] if i >= step else 0) + above[i] >> 1) & 255
        elif how == 4:
            for i in range(line):
                a, b, c = row[i - step] if i >= step else 0, above[i], above[i - step] if i >= step else 0
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                row[i] = row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c) & 255
        rows.append(bytes(row) if step == 3 else bytes(v for i, v in enumerate(row) if i % 4 != 3))
        above = row
    return width, height, rows
