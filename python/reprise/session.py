"""Spark sessions with the plug-in."""

from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from reprise._core import Error

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLUGIN = "reprise.ReprisePlugin"


def jar() -> Path:
    """The plug-in's jar, for `spark-submit --jars`.

    Raises `reprise.Error` where the package has none for the PySpark beside it.
    """
    jars = sorted((Path(str(resources.files("reprise"))) / "jars").glob("reprise-spark-*.jar"))
    try:
        release = version("pyspark")
    except PackageNotFoundError:
        return jars[-1]
    line = ".".join(release.split(".")[:2])
    for found in jars:
        if found.name.startswith(f"reprise-spark-{line}_"):
            return found
    names = ", ".join(found.name for found in jars)
    raise Error(f"PySpark here is {release}, and this package has no plug-in for it: {names}")


def conf() -> dict[str, str]:
    """The settings that put the plug-in into a Spark application."""
    return {"spark.jars": str(jar()), "spark.plugins": PLUGIN}


def session(*, master: str | None = None, **settings: object) -> "SparkSession":
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
