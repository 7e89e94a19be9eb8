"""What C++ (and, closely enough, Java) defines and declares, read off its braces."""

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

# A comment or a text. A quote within a number (1'000) begins no character.
_COMMENT_OR_TEXT = re.compile(
    r'//(?:\\\n|[^\n])*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\[^\n']*'|\\''|[^'\\\n]')",
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_AFTER_PARAMETERS = re.compile(
    r"(?:const|noexcept|override|final|mutable|&&?|throws\s+[\w., ]+|->\s*[\w:<>,*&\s]+|\s)*"
)
_TYPE = re.compile(r"(?:\w+\s+|\[\[\w+\]\]\s*|@\w+\s+)*?(class|struct|union|enum|interface)\b")


def _blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def without_texts(text: str) -> str:
    """The same lines, comments and texts blank."""
    return _COMMENT_OR_TEXT.sub(_blank, text)


@functools.cache
def code_of(text: str) -> str:
    """The same lines with comments, texts and preprocessor's directives blank."""
    return _DIRECTIVE.sub(_blank, without_texts(text))


@dataclass(frozen=True)
class Item:
    """A definition or declaration outside of functions: `kind` is function, type or declaration."""

    kind: str
    head: str  # up to the body, or to the semicolon
    first_line: int
    last_line: int
    scope: tuple[str, ...]  # the heads of the namespaces and types around it

    @property
    def name(self) -> str:
        """Of a function, with what stands before it (`Row::Add`)."""
        before = without_template(self.head).split("(")[0].split()
        return before[-1].lstrip("*&") if before else ""


def without_template(head: str) -> str:
    """A head without `template <…>` before it."""
    while match := re.match(r"\s*template\s*<", head):
        depth, end = 1, match.end()
        while depth and end < len(head):
            depth += {"<": 1, ">": -1}.get(head[end], 0)
            end += 1
        head = head[end:]
    return head.strip()


def _opens_body(head: str) -> bool:
    """Whether a brace after `head` begins a function's body, not a list of values."""
    head = without_template(head)
    before, parenthesis, _ = head.partition("(")
    if not parenthesis or re.search(r"(?<!operator)(?<!operator[=!<>])=", before):
        return False
    # In a constructor: `: a_{1}, b_{2} {`.
    return head.endswith("}") or bool(_AFTER_PARAMETERS.fullmatch(head.rpartition(")")[2]))


def _end_of_braces(code: str, begin: int) -> int:
    """The place behind the brace that closes the one at `begin`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, begin):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    return len(code)


@functools.cache
def items(text: str) -> tuple[Item, ...]:
    """What a file defines and declares, in order; what stands within functions is left out."""
    return tuple(_items(code_of(text)))


def _items(code: str) -> Iterator[Item]:
    ends = [match.start() for match in re.finditer("\n", code)]
    scope: list[str] = []
    begin = place = depth = 0

    def line(place: int) -> int:
        return bisect_right(ends, place - 1) + 1

    def item(kind: str, end: int, last: int) -> Item:
        first = begin + len(code[begin:end]) - len(code[begin:end].lstrip())
        return Item(kind, code[begin:end].strip(), line(first), line(last), tuple(scope))

    token = re.compile(r"[(){};]|\b(?:public|protected|private)\s*:")
    while match := token.search(code, place):
        at, place = match.start(), match.end()
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth or match[0] in "()":
            continue
        head = code[begin:at].strip()
        if match[0] == ";":
            if head:
                yield item("declaration", at, at)
        elif match[0] == "{":
            kind = _TYPE.match(without_template(head))
            if re.match(r"(inline\s+)?namespace\b|extern\b", head) and "(" not in head:
                scope.append(head)
            elif _opens_body(head):
                place = _end_of_braces(code, at)
                yield item("function", at, place)
            elif kind and "=" not in without_template(head):
                yield item("type", at, at)
                if kind[1] == "enum" and "class" not in head.split("{")[0].split()[:1]:
                    place = _end_of_braces(code, at)
                else:
                    scope.append(head)
            else:
                place = _end_of_braces(code, at)
                continue  # values; the statement goes on
        elif match[0] == "}" and scope:
            scope.pop()
        begin = place
