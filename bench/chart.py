"""The bar chart of a bench: seconds of each query on Spark, with Reprise, and in DuckDB, as SVG."""

import math
from html import escape

SERIES = (("spark_s", "Spark", "#b8bec9"), ("reprise_s", "Reprise", "#c2571a"))
NEIGHBOUR = ("duckdb_s", "DuckDB", "#5b7fa6")
WIDTH_OF_BAR, GAP, TOP, BOTTOM, LEFT, RIGHT, HEIGHT = 11, 14, 64, 46, 56, 16, 260
INK, FAINT = "#2b2f36", "#d9dde3"


def ticks(highest: float, most: int = 6) -> list[float]:
    """Round numbers from 0 to at least `highest`: steps of 1, 2 or 5 times a power of ten."""
    rough = max(highest, 1e-6) / most
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    return [step * i for i in range(math.ceil(highest / step * 0.999) + 1)]


def _text(x: float, y: float, words: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(words)}</text>'


def _axis(marks: list[float], scale: float, right: float) -> list[str]:
    parts = []
    for mark in marks:
        y = TOP + HEIGHT - mark * scale
        parts.append(
            f'<line x1="{LEFT}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="{FAINT}"/>'
        )
        parts.append(_text(LEFT - 6, y + 4, f"{mark:g}", "end"))
    middle = TOP + HEIGHT / 2
    turn = f'transform="rotate(-90 16 {middle:.1f})"'
    return [*parts, _text(16, middle, "seconds, median", more=turn)]


def _legend(series: list[tuple[str, str, str]]) -> list[str]:
    parts, x = [], LEFT
    for _, name, colour in series:
        parts.append(f'<rect x="{x}" y="34" width="11" height="11" fill="{colour}"/>')
        parts.append(_text(x + 16, 44, name, "start"))
        x += 30 + 8 * len(name)
    return [*parts, _text(x, 44, "above the bars: Spark's time over Reprise's", "start")]


def _group(result: dict, series: list, left: float, scale: float) -> list[str]:
    middle = left + WIDTH_OF_BAR * len(series) / 2
    floor = TOP + HEIGHT
    parts = [_text(middle, floor + 16, f"Q{result['query']}")]
    if "failed" in result:
        return [*parts, _text(middle, floor - 6, "failed", more='fill="#a11" font-size="9"')]
    highest = 0.0
    for i, (key, name, colour) in enumerate(series):
        seconds = result.get(key) or 0.0
        highest = max(highest, seconds)
        x, height = left + i * WIDTH_OF_BAR, seconds * scale
        parts.append(
            f'<rect x="{x:.1f}" y="{floor - height:.1f}" width="{WIDTH_OF_BAR - 1}" '
            f'height="{height:.1f}" fill="{colour}">'
            f"<title>Q{result['query']} {name}: {seconds:.3f} s</title></rect>"
        )
    label = f"{result['ratio']:.1f}x"
    return [*parts, _text(middle, floor - highest * scale - 5, label, more='font-size="10"')]


def svg(results: list[dict], title: str) -> str:
    """The chart as the text of an SVG file."""
    series = list(SERIES)
    if any(result.get("duckdb_s") for result in results):
        series.append(NEIGHBOUR)
    seconds = [result.get(key) or 0.0 for result in results for key, _, _ in series]
    marks = ticks(max(seconds, default=0.0) or 1.0)
    scale = HEIGHT / marks[-1]
    step = WIDTH_OF_BAR * len(series) + GAP
    right = max(LEFT + GAP + step * len(results), 420)
    parts = [_text(LEFT, 20, title, "start", 'font-size="14" font-weight="600"')]
    parts += _legend(series) + _axis(marks, scale, right)
    for i, result in enumerate(results):
        parts += _group(result, series, LEFT + GAP + i * step, scale)
    width, height = right + RIGHT, TOP + HEIGHT + BOTTOM
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
            f'width="{width:.0f}" height="{height}" font-family="system-ui, sans-serif" '
            f'font-size="11" fill="{INK}">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width:.0f}" height="{height}" fill="#fff"/>',
            *parts,
            "</svg>\n",
        ]
    )
