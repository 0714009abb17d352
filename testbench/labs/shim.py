#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Module headers, skeletons and the door by which a lab's module is exchanged in a verilated SM.

The SM of the labs is verilated once. Each module that a lab replaces is a shim there: its ports lead by DPI to a library that Verilator makes
of one module alone, in seconds, and that the loader puts in: the project's own module or a student's. All inputs go there as
one vector, all outputs come back as one: at the clock edge the inputs from before it, then again whenever one changes.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Header:
    """The head of a module: comment above, text from `module` to `);`, parameters [(name, default, local)], ports
    [(direction, type, dimensions, name)], line of each port as it stands."""

    def __init__(self, path, name):
        text = pathlib.Path(path).read_text()
        m = re.search(r"^module " + re.escape(name) + r"\b.*?^\);\n", text, re.M | re.S)
        if not m:
            raise ValueError(f"no module {name} with its ports in {path}")
        self.name, self.text, self.above, self.below = name, m[0], text[:m.start()], text[m.end():]
        bare = re.sub(r"//[^\n]*", "", m[0])
        self.params = [(n, v.strip(), kind == "localparam") for kind, n, v in
                       re.findall(r"\b(parameter|localparam)\s+int unsigned\s+(\w+)\s*=\s*([^,\n]+(?:\([^)]*\))?)", bare)]
        self.ports = [(d, t, dims.strip(), n) for d, t, dims, n in
                      re.findall(r"\b(input|output)\s+(logic|\w+::\w+)\s*((?:\[[^\]]+\]\s*)*)(\w+)\s*(?=,|\n|\))", bare)]
        if len(self.ports) != len(re.findall(r"\b(?:input|output)\b", bare)):
            raise ValueError(f"a port of {name} is not understood")


def flat_ports(header):
    """Port list with structures as vectors."""
    out = []
    for d, t, dims, n in header.ports:
        width = dims if t == "logic" else f"[$bits({t})-1:0]"
        out.append(f"    {d} logic {width} {n}".rstrip())
    return ",\n".join(out)


def parameters(header, values):
    return ",\n".join(f"    localparam int unsigned {n} = {values.get(n, v)}" for n, v, _ in header.params) + "\n"


def core(header, values):
    """The library's top: flat ports, the module inside. values: {parameter: value}."""
    given = ", ".join(f".{n}({n})" for n, _, local in header.params if not local)
    pins = ",\n      ".join(f".{n}({n})" for _, _, _, n in header.ports)
    return (f"module lab_{header.name} " + (f"#(\n{parameters(header, values)}) " if header.params else "") + f"(\n{flat_ports(header)}\n);\n"
            f"  {header.name} " + (f"#({given}) " if given else "") + f"u_dut (\n      {pins});\nendmodule\n")


def shim(header):
    """The module as it stands in the SM of the labs: the same head, outputs by the library. The project's own body runs beside it, its outputs
    under other names: the probes that lockstep looks through read its inner signals."""
    body = header.below[:header.below.index("endmodule")]
    own = []
    for d, t, dims, n in header.ports:
        if d == "output":
            body = re.sub(rf"(?<![.\w]){n}\b", n + "__own", body)
            own.append(f"  {t} {dims} {n}__own;\n")
    pins = ",\n      ".join(f".{n}({n})" for _, _, _, n in header.ports)
    return f"{header.text}{''.join(own)}{body}  lab_{header.name} u_lab (\n      {pins});\nendmodule\n"


def wrapper(header, values):
    """What the shim instantiates: module lab_MODULE, whose logic is in the library."""
    m = header.name
    ins = [n for d, _, _, n in header.ports if d == "input" and n != "clk_i"]
    outs = [n for d, _, _, n in header.ports if d == "output"]
    return f"""module lab_{m} {f"#({chr(10)}{parameters(header, values)}) " if header.params else ""}(
{flat_ports(header)}
);
  localparam int unsigned InW = $bits({{{', '.join(ins)}}});
  localparam int unsigned OutW = $bits({{{', '.join(outs)}}});
  import "DPI-C" function chandle lab_{m}_new();
  import "DPI-C" function bit lab_{m}_edge(input chandle h, input bit tick, input bit [InW-1:0] in);
  import "DPI-C" function void lab_{m}_comb(input chandle h, input bit tick, input bit [InW-1:0] in, output bit [OutW-1:0] out);
  chandle h;
  initial h = lab_{m}_new();
  bit tick = 1'b0;   // the state is another one: outputs are asked for again
  bit [InW-1:0] in;
  bit [OutW-1:0] out;
  assign in = {{{', '.join(ins)}}};
  always @(posedge clk_i) tick <= lab_{m}_edge(h, tick, in);   // one expression: outputs must not be asked for in between
  always @* lab_{m}_comb(h, tick, in, out);
  assign {{{', '.join(outs)}}} = out;
endmodule
"""


def library(header, model):
    """C++ of the library. model: text of Vlab_MODULE.h, which has the widths."""
    m = header.name
    width = {n: int(msb) + 1 for n, msb in re.findall(r"VL_(?:IN|OUT)\w*\(&(\w+),(\d+),0", model)}
    lines = {"input": [], "output": []}
    for kind in lines:
        at = 0
        for d, _, _, n in reversed(header.ports):
            if d == kind and n != "clk_i":
                lines[kind].append(f"  lab::{'get' if kind == 'input' else 'put'}(t->{n}, v, {at}, {width[n]});\n")
                at += width[n]
    return f"""#include "Vlab_{m}.h"
#include "testbench/labs/door.h"
static void inputs(Vlab_{m} *t, const uint32_t *v) {{
{''.join(lines['input'])}}}
static void outputs(Vlab_{m} *t, uint32_t *v) {{
{''.join(lines['output'])}}}
extern "C" void *lab_{m}_new() {{ return new Vlab_{m}(); }}
extern "C" unsigned char lab_{m}_edge(void *h, unsigned char tick, const uint32_t *in) {{
  auto *t = static_cast<Vlab_{m} *>(h);
  inputs(t, in);
  t->clk_i = 0, t->eval();
  t->clk_i = 1, t->eval();
  return !tick;
}}
extern "C" void lab_{m}_comb(void *h, unsigned char, const uint32_t *in, uint32_t *out) {{
  auto *t = static_cast<Vlab_{m} *>(h);
  inputs(t, in);
  t->eval();
  outputs(t, out);
}}
"""


def skeleton(header, note):
    """What a student begins with: head and ports of the module, every output 0, inputs used nowhere."""
    outs = "".join(f"  assign {n} = '0;\n" for d, _, _, n in header.ports if d == "output")
    return f"{note}{header.text}{outs}endmodule\n"


def source_of(module):
    """Path of the project's own module."""
    found = sorted((ROOT / "rtl").glob(f"*/{module}.sv"))
    if len(found) != 1:
        raise ValueError(f"no rtl/*/{module}.sv")
    return found[0]


def main(words):
    """shim.py core|shim|wrapper MODULE OUT [NAME=VALUE ...] or library MODULE OUT Vlab_MODULE.h: write one of the files."""
    kind, module, out = words[:3]
    head = Header(source_of(module), module)
    if kind == "library":
        text = library(head, pathlib.Path(words[3]).read_text())
    else:
        values = dict(w.split("=", 1) for w in words[3:])
        text = shim(head) if kind == "shim" else core(head, values) if kind == "core" else wrapper(head, values)
    pathlib.Path(out).write_text(text)


if __name__ == "__main__":
    import sys
    main(sys.argv[1:])
