"""Spark sessions with the plug-in."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from reprise._core import Error
from reprise._program import spark_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLUGIN = "reprise.ReprisePlugin"


def jars() -> list[Path]:
    """The jars of the plug-in, for `spark-submit --jars`: its classes, and the native libraries.

    They are for the Spark of SPARK_HOME, else of the PySpark beside the package; where there is
    neither, for the newest. Raises `reprise.Error` where the package has none for it.
    """
    folder = Path(str(resources.files("reprise"))) / "jars"
    # Of the package's own architecture.
    (native,) = folder.glob("reprise-native-linux-*.jar")
    plugins = {found.stem.removeprefix("reprise-spark-"): found for found in _plugins(folder)}
    spark = _spark()
    if spark is None:
        return [plugins[max(plugins)], native]
    if spark in plugins:
        return [plugins[spark], native]
    release, scala = spark.split("_")
    raise Error(
        f"Spark here is {release} with Scala {scala}, and this package has no plug-in for it: "
        + ", ".join(found.name for found in plugins.values())
    )


def _plugins(folder: Path) -> list[Path]:
    return sorted(folder.glob("reprise-spark-*.jar"))


def _spark() -> str | None:
    """The Spark here and its Scala, "3.5_2.12", as the names of its jars say; None without one."""
    home = spark_home()
    if home is None:
        return None
    for core in Path(home, "jars").glob("spark-core_*.jar"):
        if named := re.match(r"spark-core_([\d.]+)-(\d+\.\d+)\.", core.name):
            return f"{named[2]}_{named[1]}"
    raise Error(f"{home} is no Spark: there is no spark-core_*.jar in its folder jars")


def conf() -> dict[str, str]:
    """The settings that put the plug-in into a Spark application."""
    return {"spark.jars": ",".join(str(jar) for jar in jars()), "spark.plugins": PLUGIN}


def session(*, master: str | None = None, **settings: object) -> SparkSession:
    """A Spark session with the plug-in: `session(master="local[4]", **{"spark.x.y": 1})`.

    Raises `reprise.Error` where an application without the plug-in is running: a plug-in starts
    with its application.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as missing:
        raise Error("PySpark is not installed: pip install 'spark-reprise[spark]'") from missing
    running = SparkSession.getActiveSession()
    if running is not None and PLUGIN not in running.sparkContext.getConf().get(
        "spark.plugins", ""
    ):
        raise Error(
            f"a Spark application without {PLUGIN} is running: "
            "stop it, or start it with reprise.conf()"
        )
    builder = SparkSession.builder
    if master is not None:
        builder = builder.master(master)
    for key, value in (conf() | settings).items():
        builder = builder.config(key, value)
    return builder.getOrCreate()
