# SPDX-License-Identifier: Apache-2.0
"""The picture of the page, docs/pictures/page.png, shows the page as it is: its outline stands beside it.
With HILD_PICTURES=FOLDER both are made anew there (`make pictures`)."""

import base64
import os
import pathlib
import re

from daemon import CONFIGURATION
from page_case import PageCase

TOP = pathlib.Path(__file__).resolve().parents[2]
PICTURES = TOP / "docs/pictures"
HEAD = "# SPDX-License-Identifier: Apache-2.0\n"


class Picture(PageCase):
    def configure(self, daemon):
        """The demo, on this daemon's own port."""
        control = re.search(r"control: .*", daemon._config.read_text())[0]
        demo = (TOP / "config/demo.yaml").read_text()
        demo = re.sub(r"(?m)^control: .*$", lambda _: control, demo)
        demo = demo.replace("driver: sim\n", f"driver: sim\n    image: {daemon._image}\n")
        # The browser takes the CPUs of a small machine for some milliseconds now and then, when it
        # starts most of all: frames that this does not touch, and something to see once it has. Where
        # no picture is taken, frames that a machine under any load keeps.
        period = "5 ms" if os.environ.get("HILD_PICTURES") else "20 ms"
        demo = demo.replace("period: 1 ms", f"period: {period}").replace("at: 3 s", "at: 18 s")
        for section in ("overrun", "safety"):
            patient = re.search(rf"(?m)^{section}: .*$", CONFIGURATION)[0]
            patient = patient.replace("{{", "{").replace("}}", "}")
            demo = re.sub(rf"(?m)^{section}:.*\n(  .*\n)*", "", demo) + patient + "\n"
        daemon._config.write_text(demo)

    def outline(self):
        """Headings, and what has a name, in their order."""
        return HEAD + self.browser.run(
            "const words = (e) => {"
            "  const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);"
            "  while (texts.nextNode()) if (texts.currentNode.data.trim()) return texts.currentNode.data.trim();"
            "  return '';"
            "};"
            "return [...document.querySelectorAll('h1, h2, legend, figcaption, button, label')]"
            ".filter((e) => e.checkVisibility())"
            ".map((e) => `${e.tagName.toLowerCase()} ${words(e)}\\n`).join('')"
        )

    def test_shows_the_page(self):
        self.wait_for_state("Running")
        self.wait_for("its forms", lambda: self.browser.shown("#stimulus-shape"))
        self.wait_for("a time", lambda: self.browser.run("return document.querySelectorAll('canvas').length"))
        outline = self.outline()
        if folder := os.environ.get("HILD_PICTURES"):
            self.take(pathlib.Path(folder), outline)
        self.assertEqual(
            outline,
            (PICTURES / "page.txt").read_text(),
            "the page is another than in its picture: `make pictures` takes it anew",
        )
        self.assertEqual((PICTURES / "page.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def take(self, folder, outline):
        self.wait_for("what moves", lambda: self.browser.run("return performance.now() > 21000"))
        self.browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=1280, height=900, deviceScaleFactor=1, mobile=False,
        )
        self.wait_for("the layout", lambda: self.browser.run("return innerWidth === 1280"))
        shot = self.browser.devtools("Page.captureScreenshot", format="png")
        (folder / "page.png").write_bytes(base64.b64decode(shot["data"]))
        (folder / "page.txt").write_text(outline)
