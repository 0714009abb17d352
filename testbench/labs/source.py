# SPDX-License-Identifier: Apache-2.0
"""What a submission may be, told from its text: one synthesizable module, and helpers of its own whose names begin with my_.

Refused before anything reads it: system tasks and strings (a file that prints what a bench prints), directives, in comments too
(include, define, Verilator's switches), imports and packages, modules that bear a name of the project, names inside other modules, and what
only simulates (initial, delays, loops without an end). What remains has no way to a file, a process or the bench.
"""
import functools
import os
import re
import stat

from labtables import ROOT

BYTES = 200000
FUNCTIONS = {"clog2", "bits", "signed", "unsigned", "countones", "onehot", "onehot0"}
WORDS = {
    "import": "brings in what is not of the file", "export": "opens a door to C", "bind": "puts logic into other modules",
    "package": "the packages are the project's", "program": "is for test benches", "interface": "is not synthesizable here",
    "class": "is for test benches", "primitive": "is not synthesizable here", "config": "chooses other modules", "library": "chooses other modules",
    "initial": "does not exist in hardware; use reset", "final": "does not exist in hardware", "fork": "is for test benches",
    "force": "reaches into other modules", "release": "reaches into other modules", "deassign": "is for test benches", "wait": "is for test benches",
    "forever": "has no end", "while": "may have no end; use for with a constant bound", "do": "may have no end; use for with a constant bound",
    "repeat": "use for with a constant bound", "assert": "the bench asserts", "assume": "the bench asserts", "cover": "the bench counts",
    "property": "is for test benches", "sequence": "is for test benches", "checker": "is for test benches", "covergroup": "is for test benches",
    "specify": "is for delays", "defparam": "reaches into other modules", "event": "is for test benches", "string": "is for test benches",
    "real": "is not synthesizable", "chandle": "is for test benches", "extern": "names what is not of the file", "static": "keeps state outside of flip-flops",
    "always_latch": "latches are not used here", "alias": "is not used here", "randcase": "is for test benches", "extends": "is for test benches",
    "inout": "ports are input or output", "restrict": "the bench asserts", "rand": "is for test benches", "eventually": "is for test benches",
    **dict.fromkeys(("tri", "tri0", "tri1", "triand", "trior", "wand", "wor", "supply0", "supply1"), "a net has one driver; use logic")}
DIRECTIVES = re.compile(r"verilator|synopsys|synthesis|yosys|pragma|translate_off", re.I)
# whatever some tool takes for a line's end or for nothing, and what shows a text in another order than it has
CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]")


def _fault(text, at, what):
    return f"line {text.count(chr(10), 0, at) + 1}: {what}"


def read(path):
    """(text, None) or (None, why not). A link, a device or a long file is refused unread."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as e:
        return None, f"cannot read the file: {e.strerror}" + ("" if e.errno != 40 else " (a link)")
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        return None, "not a plain file"
    with os.fdopen(fd, "rb") as f:
        data = f.read(BYTES + 1)
    if len(data) > BYTES:
        return None, f"longer than {BYTES} bytes"
    if not data.strip():
        return None, "empty"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        return None, f"byte {e.start} is not UTF-8"
    text = text.replace("\r\n", "\n")
    if m := CONTROL.search(text):   # a lone carriage return ends a line for some compilers and is nothing for others
        return None, _fault(text, m.start(), f"character U+{ord(m[0]):04X}: of control characters only tab and the line's end are taken")
    return text, None


def bare(text):
    """(text without comments, same length, or None; why not)."""
    out, i = [], 0
    while i < len(text):
        two = text[i:i + 2]
        if text[i] == '"':
            return None, _fault(text, i, "a string; a synthesizable module needs none")
        if two in ("//", "/*"):
            end = text.find("\n", i) if two == "//" else text.find("*/", i + 2)
            if end < 0 and two == "/*":
                return None, _fault(text, i, "a comment without an end")
            end = len(text) if end < 0 else end + (2 if two == "/*" else 0)
            if m := DIRECTIVES.search(text, i, end):
                return None, _fault(text, m.start(), f"'{m[0]}' in a comment: comments that tools obey are refused")
            out.append(re.sub(r"[^\n]", " ", text[i:end]))
            i = end
            continue
        out.append(text[i])
        i += 1
    return "".join(out), None


@functools.cache
def project_modules():
    """Names of all modules of the project; those of benches and proofs, which stand beside a submission when it is checked, too."""
    files = [p for folder in ("rtl", "testbench") for p in sorted((ROOT / folder).rglob("*.sv"))]
    return {n for p in files for n in re.findall(r"^\s*module\s+(?:automatic\s+)?(\w+)", p.read_text(encoding="utf-8"), re.M)}


def judge(text, module, uses=()):
    """None if the text may be tried as `module`, else one sentence with the line. uses: modules of rtl/ that it may instantiate beside
    those of rtl/prim."""
    code, why = bare(text)
    if why:
        return why
    if any(ord(c) > 126 for c in code):
        at = next(i for i, c in enumerate(code) if ord(c) > 126)
        return _fault(text, at, "a character that is not ASCII, outside of comments")
    for m in re.finditer(r"`(\w*)|\\|\$(\w+)|\(\*(?!\))|#(?!\s*\()|\b([A-Za-z_]\w*)\b", code):
        t, at = m[0], m.start()
        if t[0] == "`":
            return _fault(text, at, f"directive '`{m[1]}': a submission includes nothing and defines nothing")
        if t == "\\":
            return _fault(text, at, "an escaped name")
        if t[0] == "$" and m[2] not in FUNCTIONS:
            return _fault(text, at, f"'{t}': system tasks are refused; allowed: " + " ".join("$" + f for f in sorted(FUNCTIONS)))
        if t == "(*":
            return _fault(text, at, "an attribute")
        if t == "#":
            return _fault(text, at, "a delay")
        if m[3] in WORDS:
            return _fault(text, at, f"'{m[3]}': {WORDS[m[3]]}")
    return names(text, code, module) or instances(text, code, {module, *uses})


def instances(text, code, may):
    """None, or the first name of a module of the project that is neither in rtl/prim nor in `may`: anywhere, also in a branch of a
    generate that some check does not elaborate."""
    own = may | {p.stem for p in (ROOT / "rtl/prim").glob("*.sv")}
    for m in re.finditer(r"(?<![.\w])(?:(ref_|lab_)(?=sm_))?([A-Za-z_]\w*)\b(?!\s*::)", code):
        if m[1] or (m[2] in project_modules() and m[2] not in own):
            return _fault(text, m.start(), f"'{m[0]}': a module of the project, beside those of rtl/prim and what the hand-out names; write "
                          "yours, with a name that begins with my_")
    return None


def names(text, code, module):
    """Modules that the file declares, and names behind dots."""
    found = [(m[1], m.start()) for m in re.finditer(r"\b(?:module|macromodule)\s+(?:automatic\s+)?(\w+)", code)]
    if len(re.findall(r"\b(?:macro)?module\b", code)) != len(found) or len(found) != len(re.findall(r"\bendmodule\b", code)):
        return "modules are not closed one by one: count module and endmodule"
    if [n for n, _ in found].count(module) != 1:
        return f"the file must have the module {module} once; it has: " + (" ".join(n for n, _ in found) or "none")
    for n, at in found:
        if n != module and not n.startswith("my_"):
            return _fault(text, at, f"module {n}: beside {module} only helpers whose names begin with my_ are taken")
    outside = re.sub(r"\bmodule\b.*?\bendmodule\b(?:\s*:\s*\w+)?", lambda m: re.sub(r"[^\n]", " ", m[0]), code, flags=re.S)
    if m := re.search(r"\S", outside):
        return _fault(text, m.start(), "something outside of modules")
    for m in re.finditer(r"(?<![\w.)\]])([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?\.\s*[A-Za-z_]", code):
        if not re.search(r"(?:\w+::\w+|\b\w+_t|\})\s*(?:\[[^\]]*\]\s*)*(?:\w+\s*,\s*)*" + m[1] + r"\b", code):
            return _fault(text, m.start(), f"'{m[1]}.': a name inside of something that is no structure of the file")
    return None
