"""Makes a Maven repository of the jars in a PySpark, for a Spark that Maven Central has not.

Usage: pyspark_repository.py VENV RELEASE. Writes VENV/repository, where spark-sql of the group
"pyspark" wants all the other jars; they are links. The group is not Spark's own, so that what Maven
keeps of it is never taken for what Spark publishes.
"""

import os
import shutil
import sys
from pathlib import Path

GROUP = "pyspark"
SQL = "spark-sql_2.13"


def pom(name: str, release: str, needed: list[str]) -> str:
    dependencies = "".join(f"<dependency>{names(other, release)}</dependency>" for other in needed)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<project><modelVersion>4.0.0</modelVersion>{names(name, release)}"
        f"<dependencies>{dependencies}</dependencies></project>\n"
    )


def names(name: str, release: str) -> str:
    return f"<groupId>{GROUP}</groupId><artifactId>{name}</artifactId><version>{release}</version>"


def main(venv: Path, release: str) -> None:
    (jars,) = venv.glob("lib/python3*/site-packages/pyspark/jars")
    of_spark = f"-{release}"
    found = {jar.stem.removesuffix(of_spark): jar for jar in sorted(jars.glob("*.jar"))}
    repository = venv / "repository"
    shutil.rmtree(repository, ignore_errors=True)
    for name, jar in found.items():
        folder = repository / GROUP / name / release
        folder.mkdir(parents=True)
        os.link(jar, folder / f"{name}-{release}.jar")
        needed = [other for other in found if other != SQL] if name == SQL else []
        (folder / f"{name}-{release}.pom").write_text(pom(name, release, needed))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
