# SPDX-License-Identifier: Apache-2.0
"""What a submission of a program lab may be, told from its text: device code and answers, nothing for the host.

The text is compiled for the device alone (program_lab.py), so host code in it would not run anyway; it is refused all the
same, and with it what reaches around a kernel: files, assembly, strings, attributes, the compiler's own functions.
Answers and settings stand in comments of a line of their own: // answer NAME = VALUE, // launch NAME = VALUE
"""
import re

WORDS = {
    "asm": "machine code is the compiler's", "__asm": "machine code is the compiler's", "__asm__": "machine code is the compiler's",
    "__attribute__": "an attribute", "__attribute": "an attribute", "__declspec": "an attribute", "__host__": "host code",
    "main": "host code", "printf": "what is printed does not count", "malloc": "memory comes from the host program",
    "free": "memory comes from the host program", "new": "memory comes from the host program", "delete": "memory comes from the host program",
    "operator": "is not needed here", "namespace": "is not needed here", "friend": "is not needed here", "try": "there are no exceptions",
    "throw": "there are no exceptions", "using": "is not needed here", "typedef": "is not needed here", "import": "brings in what is not of the file",
    "module": "brings in what is not of the file", "export": "is not needed here", "virtual": "is not needed here", "alignas": "an attribute",
    "__managed__": "memory comes from the host program", "_Pragma": "a directive", "__trap": "the kernel has to end by itself",
    "assert": "the grader compares", "defined": "a directive"}
PREFIXES = ("__builtin", "__nv", "__wg", "wg_", "cuda", "__has_", "__llvm", "__clang")
ANSWER = re.compile(r"^[ \t]*//[ \t]*(answer|launch)[ \t]+(\w+)[ \t]*=[ \t]*(\S+)[ \t]*$", re.M)


def fault(text, at, what):
    return f"line {text.count(chr(10), 0, at) + 1}: {what}"


def blank(text, start, end):
    """The text with start..end made blank; lines stay lines."""
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def bare(text):
    """(text without comments, same length, or None; why not). Strings, characters and joined lines are refused, so
    that a comment begins and ends where it seems to."""
    for m in re.finditer(r"\\|\?\?|%:", text):
        return None, fault(text, m.start(), f"'{m[0]}': lines are not joined and signs not written in another way")
    at = 0
    while m := re.compile(r"//[^\n]*|/\*|[\"']").search(text, at):
        if m[0] in "\"'":
            return None, fault(text, m.start(), "a string or character; a kernel needs none")
        end = m.end() if m[0] != "/*" else text.find("*/", m.end()) + 2
        if end < m.end():
            return None, fault(text, m.start(), "a comment without an end")
        text, at = blank(text, m.start(), end), end
    return text, None


def notes(text, kind, words=False):
    """{name: value} of the comments of a kind, and None, or why not. A value is a number, with words also a word of small letters; None for a
    question mark."""
    found = {}
    for m in ANSWER.finditer(text):
        if m[1] != kind:
            continue
        if m[2] in found:
            return found, fault(text, m.start(), f"{kind} {m[2]} stands twice")
        if not (words and re.fullmatch(r"[a-z]+", m[3])) and not re.fullmatch(r"\?|0[xX][0-9a-fA-F]{1,16}|[0-9]{1,18}(\.[0-9]{0,9})?", m[3]):
            return found, fault(text, m.start(), f"{kind} {m[2]} = {m[3]}: a number such as 12, 0.5 or 0xff" + (", or a word" if words else ""))
        found[m[2]] = None if m[3] == "?" else m[3] if m[3].isalpha() else float(m[3]) if "." in m[3] else int(m[3], 16 if m[3][:2] in ("0x", "0X") else 10)
    return found, None


def directives(code, text):
    """(code without its directives, None) or (None, why not). Left: #pragma unroll, #define of a name in capitals."""
    for m in re.finditer(r"^[ \t]*#[^\n]*", code, re.M):
        line = m[0].strip()
        if not re.fullmatch(r"#\s*pragma\s+unroll(\s+\d+|\s*\(\s*\d+\s*\))?|#\s*define\s+[A-Z][A-Z0-9_]*(\([\w\s,]*\))?(\s[^#]*)?", line):
            return None, fault(text, m.start(), f"directive '{line[:40]}': only #pragma unroll, and #define of a name in capital letters")
        code = blank(code, m.start(), m.end()) if "pragma" in line else blank(code, m.start(), m.start(0) + m[0].index("define") + 6)
    if "#" in code:
        return None, fault(text, code.index("#"), "a '#' that begins no line")
    return code, None


def outside(code, text):
    """None, or the first thing at the file's level that is not of the device."""
    depth = start = 0
    for m in re.finditer(r"[{};]", code):
        if m[0] == "{":
            if depth == 0:
                head = code[start:m.start()]
                if why := item(head):
                    return fault(text, start + len(head) - len(head.lstrip()), why)
            depth += 1
        elif m[0] == "}":
            depth -= 1
            if depth < 0:
                return fault(text, m.start(), "a brace too many")
            if depth == 0:
                start = m.end()
        elif depth == 0:
            head = code[start:m.start()]
            if head.strip() and (why := item(head)):
                return fault(text, start + len(head) - len(head.lstrip()), why)
            start = m.end()
    if depth:
        return "a brace is not closed"
    if code[start:].strip():
        return fault(text, start, "something without an end")
    return None


def item(head):
    """None if a thing with this head may stand at the file's level."""
    words = set(re.findall(r"\w+", head))
    if words & {"__global__", "__device__", "__constant__", "struct", "constexpr", "enum"} or (words & {"const"} and "(" not in head):
        return None
    if "extern" in words and "__shared__" in words:
        return None
    return "host code: functions are __global__ or __device__" if "(" in head else "a variable of the host: it is __device__, __constant__, const or constexpr"


def judge(text):
    """None if the text may be compiled as device code, else one sentence with the line."""
    code, why = bare(text)
    if why:
        return why
    if any(ord(c) > 126 for c in code):
        return fault(text, next(i for i, c in enumerate(code) if ord(c) > 126), "a character that is not ASCII, outside of comments")
    if "[[" in code:
        return fault(text, code.index("[["), "'[[': an attribute")
    lines = code
    code, why = directives(code, text)
    if why:
        return why
    for m in re.finditer(r"[A-Za-z_]\w*", code):
        w = m[0]
        if w in WORDS:
            return fault(text, m.start(), f"'{w}': {WORDS[w]}")
        if w.startswith(PREFIXES):
            return fault(text, m.start(), f"'{w}': a name of the compiler or the run-time library")
        if re.fullmatch(r"__(FILE|LINE|DATE|TIME|BASE_FILE|INCLUDE_LEVEL|COUNTER)_*", w):
            return fault(text, m.start(), f"'{w}': the file's place is not needed")
        if w == "extern" and not re.match(r"extern\s+__shared__\b", code[m.start():]):
            return fault(text, m.start(), "'extern' names what is not of the file; only extern __shared__")
    for kind in ("answer", "launch"):
        if why := notes(text, kind)[1]:
            return why
    for m in re.finditer(r"^[ \t]*#[^\n]*", lines, re.M):
        lines = blank(lines, m.start(), m.end())
    return outside(lines, text)
