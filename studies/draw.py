# SPDX-License-Identifier: Apache-2.0
"""Pictures of a study, as SVG text: no library, the same bytes for the same numbers."""
import html

# distinct in colour and shape, so that a grey print can be read too
MARKS = [("#1b6ca8", "circle"), ("#c0392b", "square"), ("#1e8449", "up"), ("#7d3c98", "down"), ("#b9770e", "diamond"), ("#117a65", "circle"),
         ("#784212", "square"), ("#283747", "up"), ("#d81b60", "down"), ("#558b2f", "diamond"), ("#0277bd", "square"), ("#6d4c41", "circle")]
ROW, LEFT, WIDTH, TOP, RIGHT = 22, 150, 620, 60, 190


def mark(x, y, n, hollow=False):
    """The n-th column's mark at a point."""
    colour, shape = MARKS[n % len(MARKS)]
    fill = f'fill="{"none" if hollow else colour}" stroke="{colour}" stroke-width="1.5"'
    r = 4.5
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" {fill}/>'
    points = {"square": ((-1, -1), (1, -1), (1, 1), (-1, 1)), "up": ((0, -1.2), (1.1, 1), (-1.1, 1)), "down": ((0, 1.2), (1.1, -1), (-1.1, -1)),
              "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0))}[shape]
    return f'<polygon points="{" ".join(f"{x + r * a:.1f},{y + r * b:.1f}" for a, b in points)}" {fill}/>'


def dots(title, chosen, data, columns, base, oracles=()):
    """A row a kernel, a mark a column at its speed relative to `base`; oracles, which know beforehand, are hollow."""
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
