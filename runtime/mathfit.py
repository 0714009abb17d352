#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coefficients of the device math library: writes runtime/include/wg_math_poly.h. Needs mpmath (apt-get install
python3-mpmath); only who changes a polynomial runs it, the header is committed.

usage: runtime/mathfit.py > runtime/include/wg_math_poly.h

Each polynomial interpolates its function at Chebyshev nodes of its interval, in 60 digits, which is within a small
factor of the best one; the degree is the smallest with which the error that reaches the result, |p - g| * weight, is
below 2^-27 (float), 2^-57 (double). Coefficients are then rounded to the type.
"""
from mpmath import (mp, mpf, asin, atan, cos, erf, erfc, exp, expm1, log, log1p, lu_solve, loggamma, matrix, pi, sin,
                    sinh, sqrt, tanh)

mp.dps = 60


def root(f):
    """g of x where the argument is z = x^2."""
    return lambda z: f(sqrt(z))


def near0(f, value):
    return lambda x: value if abs(x) < mpf(10)**-12 else f(x)


LN2 = log(2)
ERFCX_A = mpf(2)


def erfcx_t(t):
    """(1 + 2x) erfc(x) exp(x^2) of t = (x - a) / (x + a), x from 0 to infinity."""
    if t == 1:
        return 2 / sqrt(pi)
    x = ERFCX_A * (1 + t) / (1 - t)
    if x > 30:  # continued by the asymptotic series
        s, term = mpf(1), mpf(1)
        for k in range(1, 40):
            new = -term * (2 * k - 1) / (2 * x * x)
            if abs(new) > abs(term):
                break
            term = new
            s += term
        return (1 + 2 * x) * s / (x * sqrt(pi))
    return (1 + 2 * x) * erfc(x) * exp(x * x)


def stirling(w):
    """x (log Gamma(x) - (x - 1/2) log x + x - log(2 pi) / 2) of w = 1 / x^2."""
    if w < mpf(10)**-10:
        return mpf(1) / 12 - w / 360
    x = 1 / sqrt(w)
    return x * (loggamma(x) - (x - mpf(1) / 2) * log(x) + x - log(2 * pi) / 2)


R = LN2 / 2 * mpf("1.01")
R10 = log(2, 10) / 2 * mpf("1.01")
# name, text, g, low, high, weight
POLYS = [
    ("exp", "(e^r - 1 - r) / r^2, |r| <= ln 2 / 2",
     near0(lambda r: (expm1(r) - r) / r**2, mpf(1) / 2),
     -R, R, lambda r: r**2),
    ("exp10", "(10^r - 1) / r, |r| <= log10(2) / 2",
     near0(lambda r: expm1(r * log(10)) / r, log(10)),
     -R10, R10, lambda r: abs(r)),
    ("log", "(log(1 + f) - f + f^2 / 2) / f^3, -1/3 <= f <= 1/3: float",
     near0(lambda f: (log1p(f) - f + f**2 / 2) / f**3, mpf(1) / 3),
     -mpf(1) / 3, mpf(1) / 3, lambda f: f**2),
    ("atanh", "(2 atanh(s) - 2 s - 2 s^3 / 3) / s^5 of z = s^2, |s| <= 0.2",
     near0(root(lambda s: (log1p(s) - log1p(-s) - 2 * s - 2 * s**3 / 3) / s**5), mpf(2) / 5),
     0, mpf("0.0405"), lambda z: z**2 * 2**12),
    ("sin", "(sin r - r) / r^3 of z = r^2, |r| <= pi / 4",
     near0(root(lambda r: (sin(r) - r) / r**3), -mpf(1) / 6),
     0, mpf("0.64"), lambda z: z),
    ("cos", "(cos r - 1 + r^2 / 2) / r^4 of z = r^2, |r| <= pi / 4",
     near0(root(lambda r: (cos(r) - 1 + r**2 / 2) / r**4), mpf(1) / 24),
     0, mpf("0.64"), lambda z: z**2),
    ("sinpi", "(sin(pi r) - pi r) / r^3 of z = r^2, |r| <= 1/4",
     near0(root(lambda r: (sin(pi * r) - pi * r) / r**3), -pi**3 / 6),
     0, mpf(1) / 16, lambda z: z / 3),
    ("cospi", "(cos(pi r) - 1) / r^2 of z = r^2, |r| <= 1/4",
     near0(root(lambda r: (cos(pi * r) - 1) / r**2), -pi**2 / 2),
     0, mpf(1) / 16, lambda z: z),
    ("asin", "(asin x - x) / x^3 of z = x^2, |x| <= 1/2",
     near0(root(lambda x: (asin(x) - x) / x**3), mpf(1) / 6),
     0, mpf(1) / 4, lambda z: z),
    ("atan", "(atan x - x) / x^3 of z = x^2, |x| <= 1",
     near0(root(lambda x: (atan(x) - x) / x**3), -mpf(1) / 3),
     0, mpf(1), lambda z: z),
    ("sinh", "(sinh x - x) / x^3 of z = x^2, |x| <= 1",
     near0(root(lambda x: (sinh(x) - x) / x**3), mpf(1) / 6),
     0, mpf(1), lambda z: z),
    ("tanh", "(tanh x - x) / x^3 of z = x^2, |x| <= 0.55",
     near0(root(lambda x: (tanh(x) - x) / x**3), -mpf(1) / 3),
     0, mpf("0.3025"), lambda z: z),
    ("erf", "(erf(x) - 2 x / sqrt(pi)) / x^3 of z = x^2, |x| <= 1",
     near0(root(lambda x: (erf(x) - 2 * x / sqrt(pi)) / x**3), -2 / sqrt(pi) / 3),
     0, mpf(1), lambda z: z),
    ("erfcx", "(1 + 2 x) erfc(x) exp(x^2) of t = (x - 2) / (x + 2), x >= 0",
     erfcx_t,
     -mpf(1), mpf(1), lambda t: mpf(1)),
    ("lgamma2", "log Gamma(2 + t) / t, |t| <= 1/2",
     near0(lambda t: loggamma(2 + t) / t, 1 - mp.euler),
     -mpf(1) / 2, mpf(1) / 2, lambda t: mpf(2)),
    ("stirling", "x (log Gamma(x) - (x - 1/2) log x + x - log(2 pi) / 2) of w = 1 / x^2, x >= 8",
     stirling,
     0, mpf(1) / 64, lambda w: mpf(1) / 8),
]
DOUBLE_ONLY = {"lgamma2", "stirling"}
FLOAT_ONLY = {"log"}


def fit(g, lo, hi, n):
    """Coefficients of the interpolating polynomial of degree n, lowest first."""
    nodes = [(lo + hi) / 2 + (hi - lo) / 2 * cos(pi * (2 * k + 1) / (2 * n + 2)) for k in range(n + 1)]
    a = matrix(n + 1, n + 1)
    for i, x in enumerate(nodes):
        for j in range(n + 1):
            a[i, j] = x**j
    return list(lu_solve(a, matrix([g(x) for x in nodes])))


def error(c, g, lo, hi, weight):
    worst = mpf(0)
    for k in range(101):
        x = lo + (hi - lo) * k / 100
        p = mpf(0)
        for v in reversed(c):
            p = p * x + v
        worst = max(worst, abs(p - g(x)) * weight(x))
    return worst


def number(v, bits):
    """Hexadecimal text of v rounded to `bits` significant bits."""
    with mp.workprec(bits):
        v = +v
    text = float(v).hex()
    mantissa, exponent = text.split("p")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return mantissa + "p" + exponent + ("f" if bits == 24 else "")


def emit(name, text, g, lo, hi, weight, bits):
    target = mpf(2)**(-27 if bits == 24 else -57)
    for n in range(1, 40):
        c = fit(g, lo, hi, n)
        e = error(c, g, lo, hi, weight)
        if e < target:
            break
    kind = "float" if bits == 24 else "double"
    body = number(c[-1], bits)
    lines = [f"  {kind} p = {body};"]
    for v in reversed(c[:-1]):
        lines.append(f"  p = wgm_fma(p, x, {number(v, bits)});")
    with mp.workdps(5):
        print(f"/* {text}: degree {n}, error 2^{float(mp.log(e, 2)):.1f} */")
    print(f"WG_MATH_FN {kind} wgm_poly_{name}({kind} x) {{\n" + "\n".join(lines) + "\n  return p;\n}")


def main():
    print("// SPDX-License-Identifier: Apache-2.0\n// Generated by runtime/mathfit.py: polynomials of the device math "
          "library, overloaded for float and double.\n#ifndef WG_MATH_POLY_H\n#define WG_MATH_POLY_H\n")
    for p in POLYS:
        if p[0] not in DOUBLE_ONLY:
            emit(*p, 24)
        if p[0] not in FLOAT_ONLY:
            emit(*p, 53)
    print("\n#endif")


if __name__ == "__main__":
    main()
