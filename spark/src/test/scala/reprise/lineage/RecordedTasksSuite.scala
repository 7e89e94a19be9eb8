package reprise.lineage

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

/** Why tasks failed, by what Spark's event log says of each kind of end. */
class RecordedTasksSuite extends AnyFunSuite {
  private def reasonOf(end: String): Option[String] = {
    val log = Files.createTempFile(Path.of(System.getProperty("java.io.tmpdir")), "reprise-events", "")
    Files.writeString(
      log,
      s"""{"Event":"SparkListenerTaskEnd","Stage ID":3,"Stage Attempt ID":0,"Task End Reason":{$end},"Task Info":""" +
        """{"Task ID":9,"Index":1,"Attempt":0,"Executor ID":"2","Host":"h","Launch Time":5,"Finish Time":7}}""" + "\n")
    val tasks = new RecordedTasks
    tasks.refresh(log.toFile)
    val Seq(task) = tasks.tasks.toSeq
    assert(task.isSuccessful === task.reason.isEmpty)
    task.reason
  }

  test("a task says what its numbers are") {
    val task = RecordedTask(7, 3, 0, 1, 0, "2", "h", 12, isSuccessful = true, None, None)
    assert(task.toString === "RecordedTask(id=7, stage=3, stageAttempt=0, partition=1, attempt=0, executor=2, host=h, " +
      "durationMs=12, isSuccessful=true, exception=None, reason=None, result=None)")
  }

  test("every kind of end says what it knows") {
    assert(reasonOf(""""Reason":"Success"""") === None)
    assert(
      reasonOf(""""Reason":"ExceptionFailure","Class Name":"java.lang.Error","Description":"no"""") ===
        Some("java.lang.Error: no"))
    assert(
      reasonOf(
        """"Reason":"ExecutorLostFailure","Executor ID":"2","Exit Caused By App":true,""" +
          """"Loss Reason":"Command exited with code 137"""") ===
        Some("ExecutorLostFailure: Command exited with code 137"))
    assert(reasonOf(""""Reason":"ExecutorLostFailure","Loss Reason":null""") === Some("ExecutorLostFailure"))
    assert(reasonOf(""""Reason":"TaskKilled","Kill Reason":"another attempt succeeded"""") ===
      Some("TaskKilled: another attempt succeeded"))
    assert(reasonOf(""""Reason":"FetchFailed","Shuffle ID":1,"Message":"gone"""") === Some("FetchFailed: gone"))
    assert(reasonOf(""""Reason":"TaskResultLost"""") === Some("TaskResultLost"))
  }
}
