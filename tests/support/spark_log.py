"""What a session's JVM logs while something is done."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def warnings_of(spark, logger: str) -> Iterator[list[str]]:
    """Lines that a class of the plug-in logs as warnings; they are there when the block ends."""
    log4j = spark._jvm.org.apache.logging.log4j
    text = spark._jvm.java.io.StringWriter()
    layout = log4j.core.layout.PatternLayout.createDefaultLayout()
    builder = log4j.core.appender.WriterAppender.newBuilder()
    appender = builder.setTarget(text).setName(logger).setLayout(layout).build()
    appender.start()
    watched = log4j.LogManager.getContext(False).getLogger(logger)
    before = watched.getLevel()
    watched.addAppender(appender)
    watched.setLevel(log4j.Level.WARN)
    lines: list[str] = []
    try:
        yield lines
        spark._jsc.sc().listenerBus().waitUntilEmpty()
    finally:
        watched.removeAppender(appender)
        watched.setLevel(before)
        lines += text.toString().splitlines()
