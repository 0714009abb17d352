# SPDX-License-Identifier: Apache-2.0
"""Digests of a store's points, computed apart from cosim/sweep/sweep_digest.c, which says what they are of: for tests
that change a store by hand and want it to count as recorded so."""
import hashlib

READS = (
    ("P", "SELECT p.key, p.status, p.message, p.cycles, p.warp_insts, p.retire_hash, p.build, p.inputs,"
          " (SELECT body FROM text WHERE hash = p.preset_text), (SELECT body FROM text WHERE hash = p.provenance),"
          " p.command, p.host_seconds, p.recorded FROM point p WHERE p.id = ?"),
    ("L", "SELECT name, value FROM label WHERE point = ? ORDER BY name"),
    ("S", "SELECT launch, name, value FROM stat WHERE point = ? ORDER BY launch, name"))


def text_of(value):
    if value is None:
        return "n0:"
    if isinstance(value, bytes):
        value, kind = value.decode("latin-1"), "b"
    elif isinstance(value, float):
        value, kind = f"{value:.17g}", "r"
    else:
        value, kind = str(value), "i" if isinstance(value, int) else "t"
    return f"{kind}{len(value.encode())}:{value}"


def digest(db, point):
    """Of the point with this id in an open store."""
    lines = [" ".join([letter, *map(text_of, row)]) + "\n"
             for letter, sql in READS for row in db.execute(sql, (point,))]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def seal(db):
    """Give every point of an open store the digest of what is there now, and commit."""
    for point, in db.execute("SELECT id FROM point").fetchall():
        db.execute("UPDATE point SET digest = ? WHERE id = ?", (digest(db, point), point))
    db.commit()
