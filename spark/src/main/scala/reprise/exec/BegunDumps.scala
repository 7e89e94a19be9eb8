package reprise.exec

import java.util.concurrent.ConcurrentHashMap

/** The operators whose dumps have begun, by the tokens of their queries, until a query's end is told of. Driver. */
private[reprise] object BegunDumps {
  private val begun = new ConcurrentHashMap[String, java.util.Set[Long]]

  def note(query: String, loreId: Long): Unit =
    begun.computeIfAbsent(query, _ => ConcurrentHashMap.newKeySet[Long]()).add(loreId)

  def has(query: String, loreId: Long): Boolean = Option(begun.get(query)).exists(_.contains(loreId))

  def forget(query: String): Unit = begun.remove(query)
}
