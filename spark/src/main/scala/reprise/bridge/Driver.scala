package reprise.bridge

import org.apache.spark.api.plugin.PluginContext

/** How the tasks of this process ask the driver. */
object Driver {
  @volatile var context: PluginContext = _

  /** @throws IllegalStateException where this process has no driver: a debugger runs one task of an application */
  def ask(question: AnyRef): AnyRef = context match {
    case null => throw new IllegalStateException("there is no driver to ask")
    case driver => driver.ask(question)
  }
}
