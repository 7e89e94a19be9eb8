package reprise.exec

import java.util.concurrent.atomic.AtomicLong

import org.apache.spark.{SparkException, TaskContext}
import org.apache.spark.sql.execution.metric.SQLMetric

import reprise.SparkSuite
import reprise.bridge.Native

class TaskFragmentsSuite extends SparkSuite {

  test("every step is taken, and what was thrown first is thrown in the end") {
    val taken = Seq.newBuilder[Int]
    def step(number: Int, fails: Boolean = false) = () => {
      taken += number
      if (fails) throw new IllegalStateException(s"step $number")
    }
    val thrown = intercept[IllegalStateException] {
      TaskFragments.inTurn(Seq(step(1), step(2, fails = true), step(3), step(4, fails = true)))
    }
    assert(taken.result() == Seq(1, 2, 3, 4))
    assert(thrown.getMessage == "step 2")
    assert(thrown.getSuppressed.map(_.getMessage).toSeq == Seq("step 4"))
  }

  nativeTest("a fragment that cannot tell its figures is closed all the same") {
    val failed = intercept[SparkException] {
      spark.sparkContext
        .parallelize(Seq(1), 1)
        .mapPartitions { _ =>
          val figures = new FragmentMetrics(Seq.fill(4)(new RefusingMetric), Nil, Map.empty)
          val running = RunningFragment.open(
            TaskFragmentsSuite.numbers,
            Map.empty,
            """{"stage":0,"partition":0,"attempt":1,"leaves":[{}]}""",
            Nil,
            Nil,
            figures,
            None,
            TaskContext.get())
          TaskFragmentsSuite.opened.set(running.handle)
          Iterator.empty
        }
        .count()
    }
    assert(failed.getMessage.contains(RefusingMetric.text))
    val handle = TaskFragmentsSuite.opened.get
    assert(handle > 0)
    val closed = intercept[IllegalStateException](Native.metrics(handle, new Array[Long](4)))
    assert(closed.getMessage == s"fragment $handle is closed")
  }
}

private object TaskFragmentsSuite {
  val opened = new AtomicLong
  val numbers: String =
    """{"leaf":0,"operator":{"kind":"range","name":"RepriseRange",
      |"output":[{"name":"id","type":"long","nullable":false}],"inputs":[],
      |"arguments":{"start":0,"end":10,"step":1,"slices":1}}}""".stripMargin
}

private final class RefusingMetric extends SQLMetric("sum") {
  override def add(v: Long): Unit = throw new IllegalStateException(RefusingMetric.text)
}

private object RefusingMetric {
  val text = "this figure takes no number"
}
