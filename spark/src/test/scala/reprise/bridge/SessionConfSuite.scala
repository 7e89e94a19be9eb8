package reprise.bridge

import org.apache.spark.sql.internal.SQLConf

import reprise.SparkSuite
import reprise.access.SparkTypes

/** What the core makes of a session's settings. */
class SessionConfSuite extends SparkSuite {
  private def conf: SQLConf = spark.asInstanceOf[SparkTypes.Session].sessionState.conf

  nativeTest("what tasks read travels as the core writes it") {
    assert(SessionConf.task(conf) == TaskSettings("{}", checksOrder = false, None))
    withSetting("spark.reprise.memory.denyEvery", " 03 ") {
      withSetting("spark.reprise.sql.explain", "ALL") {
        withSetting("spark.reprise.order.debug", "True") {
          val asked = TaskSettings("""{"spark.reprise.memory.denyEvery":"3"}""", checksOrder = true, None)
          assert(SessionConf.task(conf) == asked)
        }
      }
    }
    assert(SessionConf.task(conf) == TaskSettings("{}", checksOrder = false, None))
  }

  nativeTest("a wrong value is an error each time, and no matter to who does not read it") {
    withSetting("spark.reprise.concurrentTasks", "many") {
      Seq(1, 2).foreach { _ =>
        val failure = intercept[IllegalArgumentException](SessionConf.task(conf))
        assert(failure.getMessage ==
          """spark.reprise.concurrentTasks must be an integer from 0 to 65536, found "many"""")
      }
      assert(SessionConf.switches(conf) == Switches(isEnabled = true, isTagging = true, isChecksummed = true, isMasked = false, isOnce = false, chosen = ""))
    }
  }

  nativeTest("switches are known by both their names") {
    withSetting("spark.rapids.sql.enabled", "FALSE")(assert(!SessionConf.switches(conf).isEnabled))
    withSetting("spark.reprise.lore.tag.enabled", "false")(assert(!SessionConf.switches(conf).isTagging))
    assert(!SessionConf.switches(Map("spark.reprise.ledger.enabled" -> " false ")).isChecksummed)
    assert(SessionConf.switches(Map("spark.reprise.ledger.enabled" -> "perhaps")).isChecksummed)
  }

  nativeTest("an application is told where it records") {
    val said = """{"spark.reprise.ledger.path":"/sums","spark.eventLogging.eventLogPath":"/events",
      |"spark.eventLogging.enabled":"true","spark.rapids.flameGraph.executors":"none",
      |"spark.reprise.memory.reportPath":"/reports","spark.reprise.otlp.endpoint":"http://collector:4318/",
      |"spark.reprise.trace.path":"hdfs://host/traces"}""".stripMargin
    val lineage = LineageSettings("/events", "spark.eventLogging.eventLogPath", overwritesFile = true, keepsResults = false)
    val readAtStart = SessionConf.application("{}").readAtStart
    assert(SessionConf.application(said) ==
      ApplicationSettings(Some(lineage), Some(LedgerSettings("/sums", "native")), Some("/reports"),
        Some("http://collector:4318/v1/traces"), Some("hdfs://host/traces"), hasProfileKeys = true, hasTab = true, readAtStart))
    assert(readAtStart.contains("spark.reprise.ledger.path") && !readAtStart.contains("spark.reprise.sql.enabled"))
    assert(SessionConf.application("{}") ==
      ApplicationSettings(None, None, None, None, None, hasProfileKeys = false, hasTab = true, readAtStart))
  }
}
