package reprise.replay

import org.apache.spark.sql.execution.{QueryExecution, SQLExecution}

private[reprise] object WholeQuery {

  /** Runs a query, as an execution of that name, and throws its rows away. */
  def read(execution: QueryExecution, name: String): Unit =
    SQLExecution.withNewExecutionId(execution, Some(name)) {
      execution.toRdd.foreachPartition(_.foreach(_ => ()))
    }
}
