# SPDX-License-Identifier: BSD-3-Clause
"""A page in headless Chromium, by the DevTools protocol over pipes: what it asks for, says, shows and draws.

    with Browser() as browser:
        page = browser.open("file:///tmp/x.html", width=390, height=800, dark=True)
        page.value("document.title")
"""
import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find():
    """The path of a browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    def __init__(self):
        # Processes of the browser may write to their profile for a moment after its end.
        self._profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        to_child, self._out = os.pipe()
        self._in, from_child = os.pipe()
        # It reads from descriptor 3 and writes to 4; the shell moves ours there.
        words = f"exec \"$0\" \"$@\" 3<&{to_child} 4>&{from_child}"
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                   "--no-first-run", "--disable-background-networking", f"--user-data-dir={self._profile.name}", "about:blank"]
        self._process = subprocess.Popen(["bash", "-c", words, find(), *options], pass_fds=(to_child, from_child),
                                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self._numbers, self._rest, self.events = itertools.count(1), b"", []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)
        time.sleep(0.2)
        self._profile.cleanup()

    def _read(self):
        while b"\0" not in self._rest:
            part = os.read(self._in, 65536)
            if not part:
                raise RuntimeError("the browser has ended")
            self._rest += part
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, session=None, **parameters):
        """The result of a method; events that come before it are kept."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            said = self._read()
            if said.get("id") == number:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']}")
                return said["result"]
            self.events.append(said)

    def open(self, url, width, height, dark=False, calm=False):
        """A new page; `calm`: the user prefers less motion."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.events.clear()
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.ask(f"{domain}.enable")
        page.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        page.ask("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"}])
        page.ask("Page.navigate", url=url)
        for _ in range(200):
            if page.value("document.readyState") == "complete" and page.value("location.href") != "about:blank":
                return page
            time.sleep(0.05)
        raise RuntimeError(f"{url} is not loaded")


class Page:
    def __init__(self, browser, session):
        self._browser, self._session = browser, session

    def ask(self, method, **parameters):
        return self._browser.ask(method, self._session, **parameters)

    def value(self, expression):
        found = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{expression}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def _events(self, *methods):
        self.value("0")  # what was on its way has come
        return [event for event in self._browser.events if event["method"] in methods]

    def requests(self):
        """The addresses that were asked for."""
        return [event["params"]["request"]["url"] for event in self._events("Network.requestWillBeSent")]

    def complaints(self):
        """What stands in the console, and exceptions."""
        return self._events("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")

    def picture(self, path, whole=True):
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        found = self.ask("Page.captureScreenshot", captureBeyondViewport=whole, **({"clip": clip} if whole else {}))
        with open(path, "wb") as file:
            file.write(base64.b64decode(found["data"]))
