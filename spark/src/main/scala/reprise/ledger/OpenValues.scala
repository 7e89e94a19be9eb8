package reprise.ledger

import java.util.Arrays

/** Hashes, each of a value or, where `of` is not `OpenValues.none`, of one that may still change. */
private[ledger] final class Hashes {
  private var hashes = new Array[Long](64)
  private var opens = new Array[Int](64)
  var length = 0

  def hash(place: Int): Long = hashes(place)

  def of(place: Int): Int = opens(place)

  def push(hash: Long, of: Int = OpenValues.none): Unit = set(length, hash, of)

  def set(place: Int, hash: Long, of: Int): Unit = {
    if (place >= hashes.length) {
      val more = math.max(2 * hashes.length, place + 1)
      hashes = Arrays.copyOf(hashes, more)
      opens = Arrays.copyOf(opens, more)
    }
    hashes(place) = hash
    opens(place) = of
    if (place >= length) length = place + 1
  }
}

/** Values that are being made: of each what it is, what it has in its order, and what it has without. */
private[ledger] final class OpenValues {
  private var chained = new Array[Long](64)
  private var united = new Array[Long](64)
  var length = 1

  def add(kind: Long): Int = {
    val made = length
    if (made == chained.length) {
      chained = Arrays.copyOf(chained, 2 * made)
      united = Arrays.copyOf(united, 2 * made)
    }
    chained(made) = kind
    united(made) = 0
    length = made + 1
    made
  }

  def append(to: Int, hash: Long): Unit = chained(to) = chained(to) * RecordHash.chain + hash

  def unite(to: Int, hash: Long): Unit = united(to) += hash

  def hash(of: Int): Long = RecordHash.ofParts(chained(of), united(of))
}

private[ledger] object OpenValues {
  /** Of a value that no longer changes. */
  val none = 0
}
