# SPDX-License-Identifier: Apache-2.0
"""Pictures of a study, as SVG text: no library, the same bytes for the same numbers."""
import html

# A mark is a shape and a filling, so that a grey print can be read too, and a colour: the nth column's is unlike those of the others, up to
# as many as there are shapes x fillings. The colours go round with another period than the shapes.
SHAPES = {"circle": None, "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)), "up": ((0, -1.2), (1.1, 1), (-1.1, 1)), "down": ((0, 1.2), (1.1, -1), (-1.1, -1)),
          "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)), "left": ((-1.2, 0), (1, -1.1), (1, 1.1)), "right": ((1.2, 0), (-1, -1.1), (-1, 1.1)),
          "plus": ((-.4, -1.2), (.4, -1.2), (.4, -.4), (1.2, -.4), (1.2, .4), (.4, .4), (.4, 1.2), (-.4, 1.2), (-.4, .4), (-1.2, .4), (-1.2, -.4), (-.4, -.4)),
          "star": ((0, -1.4), (.35, -.45), (1.3, -.4), (.55, .2), (.8, 1.2), (0, .65), (-.8, 1.2), (-.55, .2), (-1.3, -.4), (-.35, -.45)),
          "hourglass": ((-1.1, -1.1), (1.1, -1.1), (-1.1, 1.1), (1.1, 1.1))}
FILLS = ("full", "pale", "dotted")
COLOURS = ("#1b6ca8", "#c0392b", "#1e8449", "#7d3c98", "#b9770e", "#117a65", "#784212", "#283747", "#d81b60", "#558b2f", "#0277bd")
MOST = len(SHAPES) * len(FILLS)
ROW, LEFT, WIDTH, TOP, RIGHT = 22, 150, 620, 60, 190


def mark(x, y, n, hollow=False):
    """The n-th column's mark at a point, 0 <= n < MOST; a hollow one is unlike every other too."""
    shape, colour = list(SHAPES)[n % len(SHAPES)], COLOURS[n % len(COLOURS)]
    fill = FILLS[n // len(SHAPES) % len(FILLS)]
    inside = "none" if hollow else colour
    look = f'fill="{inside}"{" fill-opacity=" + chr(34) + "0.25" + chr(34) if fill != "full" and not hollow else ""} stroke="{colour}" stroke-width="1.5"'
    r, dot = 4.5, f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.3" fill="{colour}"/>' if fill == "dotted" else ""
    if SHAPES[shape] is None:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" {look}/>{dot}'
    return f'<polygon points="{" ".join(f"{x + r * a:.1f},{y + r * b:.1f}" for a, b in SHAPES[shape])}" {look}/>{dot}'


def dots(title, chosen, data, columns, base, oracles=()):
    """A row a kernel, a mark a column at its speed relative to `base`; oracles, which know beforehand, are hollow."""
    if len(columns) > MOST:
        raise ValueError(f"{len(columns)} columns and {MOST} marks; remedy: add a shape to SHAPES")
    rows = [(r["kernel"], r["group"]) for r in chosen if base in data[r["kernel"]]]
    speed = {(k, c): data[k][base]["cycles"] / data[k][c]["cycles"] for k, _ in rows for c in columns if c in data[k]}
    top = max([1.0, *speed.values()])
    scale = next(s for s in (1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 32, 1e9) if top <= s)
    height = TOP + ROW * max(len(rows), len(columns)) + 40

    def at(v):
        return LEFT + WIDTH * v / scale
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + RIGHT}" height="{height}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>', f'<text x="12" y="24" font-size="15">{html.escape(title)}</text>']
    bottom = TOP + ROW * len(rows)
    for i in range(6):
        v = scale * i / 5
        out.append(f'<line x1="{at(v):.1f}" y1="{TOP - 8}" x2="{at(v):.1f}" y2="{bottom}" stroke="#ddd"/><text x="{at(v):.1f}" y="{bottom + 16}" text-anchor="middle">{v:.2f}</text>')
    out.append(f'<line x1="{at(1):.1f}" y1="{TOP - 8}" x2="{at(1):.1f}" y2="{bottom}" stroke="#555"/>')
    last = None
    for i, (k, group) in enumerate(rows):
        y = TOP + ROW * i + ROW / 2
        if group != last and i > 0:
            out.append(f'<line x1="8" y1="{y - ROW / 2:.1f}" x2="{LEFT + WIDTH}" y2="{y - ROW / 2:.1f}" stroke="#999"/>')
        out.append(f'<text x="12" y="{y + 4:.1f}">{html.escape(k)}</text><text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#777" font-size="10">{html.escape(group)}</text>')
        last = group
        out += [mark(at(speed[k, c]), y, n, c in oracles) for n, c in enumerate(columns) if (k, c) in speed]
    for n, c in enumerate(columns):
        y = TOP + ROW * n + ROW / 2
        out.append(mark(LEFT + WIDTH + 24, y, n, c in oracles) + f'<text x="{LEFT + WIDTH + 36}" y="{y + 4:.1f}">{html.escape(c)}{" (knows all)" if c in oracles else ""}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
