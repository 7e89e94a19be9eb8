"""Each rule of `make tidy` finds a fault that is planted, and leaves alone what is like it."""

from pathlib import Path

import pytest
from check_style import tracked_sources
from style import builds, cpp, declarations, files, folders, forward, functions

ARCHITECTURE = """The folders:

| folder | what is in it |
|---|---|
| `base` | batches |
| `plan` | plans |
| `jni`, `cli` | the two ways in |

`python/` is another `thing`.
"""


def header(*lines: str) -> str:
    return "\n".join(["#pragma once", "namespace reprise {", *lines, "}  // namespace reprise", ""])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("core/base/a.cc", "int Long(int a,\n         int b) const noexcept {{\n{}}}\n"),
        ("core/base/a.cc", "A::A(int a) : a_{{a}}, b_(1) {{\n{}}}\n"),
        ("core/base/a.cc", "namespace {{\nclass A {{\n  int a() {{\n{}  }}\n}};\n}}\n"),
        ("spark/src/main/scala/A.scala", "object A {{\n  def long(a: Int): Int = {{\n{}  }}\n}}\n"),
        ("spark/src/main/scala/A.scala", "object A {{\n  def long(a: Int): Int = f(\n{})\n}}\n"),
        ("spark/src/main/java/A.java", "class A {{\n  void f() throws E {{\n{}  }}\n}}\n"),
        ("tests/a.py", "def long():\n{}"),
    ],
)
def test_a_function_of_61_lines_is_long(path, body):
    def found(lines: int) -> list[str]:
        step = "    f(1)\n" if path.endswith((".py", ".scala")) else '    f("{");\n'
        text = body.format(step * lines)
        return functions.long_functions({path: text})

    around = next(n for n in range(1, 70) if found(n))  # lines that are not of the body
    assert 55 < around <= 61
    assert len(found(around)) == 1
    assert "has 61 lines" in found(around)[0]


def test_braces_in_texts_comments_and_tables_open_nothing():
    text = """
const char* kOpen = "{";  // {
/* { */
constexpr int kTable[] = {1, 2};
const auto raw = R"x({ )" )x";
constexpr char kBrace = '{';
void One() {}
struct S {
  explicit S(int a) : a_{a} {}
  int a_ = {1'000};
};
bool operator==(const S& a, const S& b) { return true; }
"""
    defined = [item for item in cpp.items(text) if item.kind == "function"]
    assert [(item.name, item.first_line) for item in defined] == [
        ("One", 7),
        ("S", 9),
        ("operator==", 12),
    ]


def test_scanner_sees_every_line_of_the_core():
    """What it takes for a function ends before the next begins, and braces are even at the end."""
    for path, text in tracked_sources().items():
        if path.startswith("core/") and path.endswith((".cc", ".h")):
            last = 0
            for item in cpp.items(text):
                assert item.first_line >= last or item.kind != "function", (path, item)
                last = item.last_line if item.kind == "function" else last
            code = cpp.code_of(text)
            assert code.count("{") == code.count("}"), path


def test_unbuilt_files():
    sources = {
        "core/CMakeLists.txt": "reprise_folder(base)\n"
        "file(GLOB sources ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cc)",
        "core/base/a.cc": '#include "base/a.h"',
        "core/base/a.h": "",
    }
    assert builds.unbuilt_cpp(sources) == []
    sources |= {"core/other/a.cc": "", "core/base/b.h": "", "core/base/fuzz_main.cc": ""}
    found = [breach.split(":")[0] for breach in builds.unbuilt_cpp(sources)]
    assert found == ["core/other/a.cc", "core/base/b.h", "core/base/fuzz_main.cc"]


def test_sources_of_a_spark_that_is_not_built():
    sources = {
        "spark/pom.xml": "<spark.binary.version>4.1</spark.binary.version>"
        "<spark.major.version>4</spark.major.version>"
        "<scala.binary.version>2.13</scala.binary.version>"
        "<side-of.4.2>before</side-of.4.2><side-of.4.0>since</side-of.4.0>"
    }
    of_sides = ("spark-before-4.2", "spark-since-4.0")
    folders = ("scala", "java", "spark-4.1", "spark-4", "scala-2.13", *of_sides)
    built = {f"spark/src/main/{folder}/a/B.scala": "" for folder in folders}
    assert builds.unbuilt_plugin(sources | built) == []
    for of in ("main", "test"):
        left = f"spark/src/{of}/spark-3.5/a/B.scala"
        assert builds.unbuilt_plugin(sources | built | {left: ""}) == [
            f"{left}: spark/pom.xml does not compile this folder"
        ]


def test_support_that_nothing_uses():
    sources = {"tests/support/answers.py": "import answers", "tests/test_a.py": "import answers"}
    assert builds.unused_support(sources) == []
    sources["tests/test_a.py"] = "import my_answers"
    assert len(builds.unused_support(sources)) == 1


def test_what_headers_declare_twice():
    one = header("Status Read(const Batch& batch, int count = 1);", "struct Row { int a; };")
    same = header("Status Read(const Batch& other, int);", "struct Row final : Base { int b; };")
    overload = header("Status Read(const Row& row);", "class Row;", "extern int number;")
    again = {"core/base/a.h": one, "core/base/b.h": same}
    assert [
        breach.split(": ")[1].split(" stands")[0] for breach in declarations.declared_twice(again)
    ] == [
        "Read(constBatch&,int)",
        "struct Row",
    ]
    assert declarations.declared_twice({"core/base/a.h": one, "core/base/b.h": overload}) == []
    inner = same.replace("namespace reprise {", "namespace reprise::sample {")
    assert declarations.declared_twice({"core/base/a.h": one, "core/base/b.h": inner}) == []


def test_constants_that_two_files_define():
    def found(other: str) -> list[str]:
        one = 'namespace { constexpr std::string_view kKind = "batch"; }'
        return declarations.constants_twice({"core/base/a.cc": one, "core/plan/b.cc": other})

    assert len(found('constexpr std::string_view kKind = "batch";')) == 1
    assert found('constexpr std::string_view kKind = "rows";') == []
    assert found('void F() { constexpr std::string_view kKind = "batch"; }') == []


FORWARD = {"core/base/row.h": header("class Row {", " public:", "  int size() const;", "};")}


@pytest.mark.parametrize(
    ("uses", "is_needless"),
    [
        ("void F(const Row& row, Row* out);", True),
        ("class User {\n  const Row* row_ = nullptr;\n};", True),
        ("class User {\n  Row row_;\n};", False),
        ("class User : public Row {};", False),
        ("std::vector<Row*> All();", False),
        ("inline int F(const Row& row) { return row.size(); }", False),
        ("class User {\n  int f() { return row_->size(); }\n  const Row* row_;\n};", False),
        ("void F(const Unrelated& row);", False),
    ],
)
def test_includes_for_which_a_forward_declaration_would_do(uses, is_needless):
    user = '#include "base/row.h"\n' + header(uses)
    assert bool(forward.needless_includes({**FORWARD, "core/base/user.h": user})) == is_needless


def test_folders_go_one_way_and_as_the_architecture_says():
    sources = {"ARCHITECTURE.md": ARCHITECTURE, "core/plan/a.h": '#include "base/b.h"'}
    built = {"core/CMakeLists.txt": "reprise_folder(base LINK x)\nreprise_folder(plan)\n"}
    assert folders.core_order(sources) == (["base", "plan"], ["jni", "cli"])
    assert folders.include_order(sources) == []
    assert folders.build_order(sources | built) == []
    back = sources | {"core/base/b.h": '\n#include "plan/a.h"', "core/task/c.cc": ""}
    assert folders.include_order(back) == [
        "core/base/b.h:2: base/ includes plan/, a later folder",
        "core/task/c.cc: ARCHITECTURE.md gives the folder task no place in core/",
    ]
    other = {"core/CMakeLists.txt": "reprise_folder(plan)\nreprise_folder(base)\n"}
    assert len(folders.build_order(sources | other)) == 1
    assert len(folders.jni_stays_in_jni({"core/plan/a.cc": "#include <jni.h>"})) == 1
    assert folders.jni_stays_in_jni({"core/jni/a.cc": "#include <jni.h>"}) == []


def test_packages_in_a_cycle():
    one = "package reprise.exec\nimport reprise.plugin.Hook\n"
    other = "package reprise.plugin\nimport reprise.event.Told\n"
    paths = [f"spark/src/main/scala/{name}.scala" for name in ("a", "b")]
    assert folders.package_cycles(dict(zip(paths, (one, other), strict=True))) == []
    back = other + "import reprise.exec.Native\n"
    assert len(folders.package_cycles(dict(zip(paths, (one, back), strict=True)))) == 2


def test_names_marks_and_lengths_of_files():
    mark = "TO" + "DO"
    assert len(files.vague_names({"core/base/string_util.h": "", "core/base/utility.h": ""})) == 1
    assert len(files.marks_for_later({"core/base/a.h": f"// {mark}: later"})) == 1
    assert files.long_files({"a.py": "x\n" * 600}) == []
    assert len(files.long_files({"a.py": "x\n" * 601})) == 1
    assert files.long_files({"a.py": "# Long because of what it lists.\n" + "x\n" * 600}) == []


def test_the_sources_are_those_of_the_repository():
    sources = tracked_sources()
    assert sources["VERSION"] == (Path(__file__).parent.parent / "VERSION").read_text()
    assert not any(path.startswith(("build/", ".venv/")) for path in sources)
