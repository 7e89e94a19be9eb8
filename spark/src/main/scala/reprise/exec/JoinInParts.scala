package reprise.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLShuffleReadMetricsReporter, SQLShuffleWriteMetricsReporter}

/**
 * A join that keeps rows of its broadcast side. As in Spark's `BroadcastNestedLoopJoinExec`, the other side is run
 * twice: for the rows that each task can tell, and for which rows of the broadcast have a match in some task. What is
 * left of the broadcast is one partition more.
 */
private[exec] final class JoinInParts(node: NativeOperatorExec, parts: JoinParts) {
  private val context = node.session.sparkContext

  /** Adds the join as an operator that reads the batches of its parts. */
  def addTo(fragment: Fragment): String = {
    val batches = parts.pairs.map(pairs).toIndexedSeq :+ unmatched
    fragment.over(parts.union.operator, figures(parts.union), fragment.checksummed(node)) {
      Seq(fragment.addBatches(context.union(batches), parts.leaf, node))
    }
  }

  private def pairs(part: Part): RDD[Long] =
    Fragment.made(node, BatchOutput) { fragment =>
      fragment.over(part.operator, figures(part, Figures.Inner))(node.children.map(fragment.addChild(_, node)))
    }

  private def unmatched: RDD[Long] =
    Fragment.made(node, BatchOutput, isObserved = false) { fragment =>
      fragment.over(parts.unmatched.operator, figures(parts.unmatched, Figures.None)) {
        Seq(
          fragment.addLeaf(BlockLeaf(matches), parts.read, parts.read.transition.createMetrics(context)),
          fragment.addChild(node.children(1 - parts.streamed), node))
      }
    }

  /** What all tasks have found, in one partition. */
  private def matches: RDD[Array[Byte]] = {
    val isFirstRun = parts.pairs.isEmpty
    val found = Fragment.made(node, BlockOutput, isObserved = isFirstRun) { fragment =>
      fragment.over(parts.write.operator, figures(parts.write, Figures.None)) {
        val kept = if (isFirstRun) Figures.Inner else Figures.None
        Seq(fragment.over(parts.matches.operator, figures(parts.matches, kept)) {
          node.children.map(fragment.addChild(_, node))
        })
      }
    }
    if (found.getNumPartitions == 0) {
      context.parallelize(Seq.empty[Array[Byte]], 1)
    } else {
      val writes = SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(context)
      val reads = SQLShuffleReadMetricsReporter.createShuffleReadMetrics(context)
      new ShuffledBlockRDD(NativeShuffleExchangeExec.dependency(found, 1, writes), reads, ShuffledBlockRDD.all(1))
    }
  }

  /** The node's figures that a part counts; others are seen by nobody. */
  private def figures(part: Part, counted: String => Boolean = _ => true): Seq[SQLMetric] = part.metrics.map { spec =>
    node.metrics.get(spec.name).filter(_ => counted(spec.name)).getOrElse(spec.create(context))
  }

  private object Figures {
    val None: String => Boolean = _ => false

    /** What the rows that leave do not tell. */
    val Inner: String => Boolean = name => !name.startsWith("numOutput") && name != "outputBytes"
  }
}
