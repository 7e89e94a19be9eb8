package reprise.profile

import org.apache.spark.SparkContext
import org.apache.spark.api.plugin.PluginContext

/** How a profiled process speaks with the driver. */
private[profile] trait DriverLink {

  /** Spark's id of the executor; the driver's is "driver". */
  def executor: String

  /** Whether this is a driver whose executors are other processes. */
  def isDriverAlone: Boolean

  def send(message: FlameMessage): Unit
  def ask(message: FlameMessage): AnyRef

  /** Spark's id of the application, once it has one: neither a driver nor an executor of local mode begins with it. */
  def application: Option[String]
}

private[profile] final class ExecutorLink(context: PluginContext) extends DriverLink {
  override val executor: String = context.executorID()
  override def isDriverAlone: Boolean = false
  override def send(message: FlameMessage): Unit = context.send(message)
  override def ask(message: FlameMessage): AnyRef = context.ask(message)
  override def application: Option[String] = context.conf.getOption("spark.app.id")
}

/** Of the driver with itself. */
private[profile] final class OwnLink(context: SparkContext, receive: FlameMessage => AnyRef) extends DriverLink {
  override def executor: String = FlameSettings.driverId
  override def isDriverAlone: Boolean = true
  override def send(message: FlameMessage): Unit = receive(message)
  override def ask(message: FlameMessage): AnyRef = receive(message)
  override def application: Option[String] = Option(context.applicationId)
}
