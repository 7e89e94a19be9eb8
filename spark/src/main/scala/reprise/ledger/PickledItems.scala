package reprise.ledger

import java.nio.charset.StandardCharsets.ISO_8859_1

import scala.annotation.switch
import scala.util.Try

import org.apache.spark.unsafe.Platform

/**
 * Hashes of the items in a batch of Python's, equal for equal items wherever the batch was cut: a machine for pickles
 * whose stack holds hashes in place of objects. It makes no object and calls nothing: of what a pickle calls, names and
 * arguments are hashed. What opcodes mean is said in Python's own `pickletools`.
 */
private[ledger] final class PickledItems {
  private val stack = new Hashes
  private val memo = new Hashes
  private val items = new Hashes
  private val open = new OpenValues
  private var marks = new Array[Int](16)
  private var marked = 0
  private var bytes: Array[Byte] = Array.emptyByteArray
  private var at = 0
  private var outer = OpenValues.none // the list whose items are in `items`
  private var isTuple = false // what is in `items` is a tuple's, whose hash is the one below
  private var ofTuple = 0L

  /** Of the items that the last batch held. */
  def length: Int = items.length

  def apply(item: Int): Long = items.hash(item)

  /** @return whether it could be taken apart; one that holds no list or tuple is an item itself */
  def read(batch: Array[Byte]): Boolean = {
    reset(batch)
    try {
      var opcode = byte()
      while (opcode != '.') {
        step(opcode)
        opcode = byte()
      }
      if (stack.length != 1) refuse()
      if (!isTakenApart) {
        items.length = 0
        items.push(hashAt(0))
      }
      true
    } catch { case PickledItems.Refused | _: IndexOutOfBoundsException => false }
  }

  private def reset(batch: Array[Byte]): Unit = {
    Seq(stack, memo, items).foreach(_.length = 0)
    open.length = 1
    marked = 0
    bytes = batch
    at = 0
    outer = OpenValues.none
    isTuple = false
  }

  /** Whether the items are those of what the pickle is, and not of a part of it. */
  private def isTakenApart: Boolean = {
    val its = stack.of(0)
    if (its == OpenValues.none) isTuple && stack.hash(0) == ofTuple else its == outer
  }

  /** Nothing is below it, not even a mark: it may be all that the pickle is. */
  private def isOutermost(place: Int): Boolean = place == 0 && marked == 0

  private def refuse(): Nothing = throw PickledItems.Refused

  private def step(opcode: Int): Unit = (opcode: @switch) match {
    case '(' => mark()
    case 'K' => pushNumber(byte())
    case 'M' => pushNumber(Platform.getShort(bytes, take(2)) & 0xffff)
    case 'J' => pushNumber(Platform.getInt(bytes, take(4)))
    case 0x8a => pushLong(byte())
    case 'G' => pushNumber(RecordHash.ofDouble(java.lang.Double.longBitsToDouble(java.lang.Long.reverseBytes(word()))))
    case 'N' => push(PickledItems.none)
    case 0x88 => push(PickledItems.yes)
    case 0x89 => push(PickledItems.no)
    case 0x8c => pushBytes(PickledItems.text, byte())
    case 'X' => pushBytes(PickledItems.text, size())
    case 0x8d => pushBytes(PickledItems.text, longSize())
    case 'C' => pushBytes(PickledItems.binary, byte())
    case 'B' => pushBytes(PickledItems.binary, size())
    case 0x8e => pushBytes(PickledItems.binary, longSize())
    case 0x96 => pushBytes(PickledItems.array, longSize())
    case 0x94 => memoize(memo.length)
    case 'q' => memoize(byte())
    case 'r' => memoize(size())
    case 'h' => recall(byte())
    case 'j' => recall(size())
    case 0x85 => tuple(stack.length - 1)
    case 0x86 => tuple(stack.length - 2)
    case 0x87 => tuple(stack.length - 3)
    case 't' => tuple(popMark())
    case ')' => tuple(stack.length)
    case ']' => begin(PickledItems.list)
    case '}' => begin(PickledItems.dictionary)
    case 0x8f => begin(PickledItems.set)
    case 'a' => append(stack.length - 1)
    case 'e' => append(popMark())
    case 's' => setItems(stack.length - 2)
    case 'u' => setItems(popMark())
    case 0x90 => addItems(popMark())
    case _ => stepOfObjects(opcode)
  }

  private def stepOfObjects(opcode: Int): Unit = (opcode: @switch) match {
    case 0x80 => at += 1 // protocol
    case 0x95 => at += 8 // frame
    case 'c' => global(ofText(line()), ofText(line()))
    case 0x93 => stackGlobal()
    case 'R' | 0x81 => call(2)
    case 0x92 => call(3)
    case 'b' => build()
    case 0x91 => frozenSet(popMark())
    case 'l' => make(PickledItems.list, popMark())
    case 'I' => pushWritten(line())
    case 0x8b => pushLong(size())
    case '0' => pop()
    case '1' => stack.length = popMark()
    case '2' => stack.push(stack.hash(stack.length - 1), stack.of(stack.length - 1))
    case _ => refuse() // texts of protocol 0, persistent ids, extensions, buffers beside the pickle
  }

  private def byte(): Int = {
    val value = bytes(at) & 0xff
    at += 1
    value
  }

  /** Where the next bytes are. */
  private def take(count: Int): Long = {
    val from = at
    if (count < 0 || count > bytes.length - from) refuse()
    at += count
    Platform.BYTE_ARRAY_OFFSET.toLong + from
  }

  private def word(): Long = Platform.getLong(bytes, take(8))

  private def size(): Int = Platform.getInt(bytes, take(4))

  private def longSize(): Int = {
    val size = word()
    if (size != size.toInt) refuse()
    size.toInt
  }

  private def line(): String = {
    val from = at
    while (byte() != '\n') {}
    new String(bytes, from, at - 1 - from, ISO_8859_1)
  }

  private def push(hash: Long): Unit = stack.push(hash, OpenValues.none)

  private def pushNumber(number: Long): Unit = push(RecordHash.mixed(number))

  /** Of any length, the lowest byte first. */
  private def pushLong(length: Int): Unit =
    if (length > 8) pushBytes(PickledItems.number, length)
    else {
      val from = take(length)
      var number = if (length > 0) Platform.getByte(bytes, from + length - 1).toLong else 0L
      var i = length - 2
      while (i >= 0) {
        number = number << 8 | (Platform.getByte(bytes, from + i) & 0xff)
        i -= 1
      }
      pushNumber(number)
    }

  /** As Java writes numbers for Python; two are the truth values of old. */
  private def pushWritten(number: String): Unit = number match {
    case "01" => push(PickledItems.yes)
    case "00" => push(PickledItems.no)
    case _ => pushNumber(Try(number.toLong).getOrElse(refuse()))
  }

  private def pushBytes(kind: Long, length: Int): Unit = push(ofBytes(kind, bytes, take(length), length))

  private def ofText(text: String): Long = {
    val utf = text.getBytes(ISO_8859_1)
    ofBytes(PickledItems.text, utf, Platform.BYTE_ARRAY_OFFSET, utf.length)
  }

  private def ofBytes(kind: Long, held: Array[Byte], from: Long, length: Int): Long =
    RecordHash.mixed(RecordHash.ofWords(kind + length, held, from, length))

  private def mark(): Unit = {
    if (marked == marks.length) marks = java.util.Arrays.copyOf(marks, 2 * marked)
    marks(marked) = stack.length
    marked += 1
  }

  private def popMark(): Int = {
    marked -= 1
    marks(marked)
  }

  private def pop(): Unit =
    if (marked > 0 && marks(marked - 1) == stack.length) marked -= 1
    else stack.length -= 1

  private def memoize(place: Int): Unit = {
    if (place > bytes.length) refuse()
    memo.set(place, stack.hash(stack.length - 1), stack.of(stack.length - 1))
  }

  private def recall(place: Int): Unit = {
    if (place >= memo.length) refuse()
    stack.push(memo.hash(place), memo.of(place))
  }

  /** Of what a place of the stack holds, as it is now. */
  private def hashAt(place: Int): Long = {
    val its = stack.of(place)
    if (its == OpenValues.none) stack.hash(place) else open.hash(its)
  }

  private def begin(kind: Long): Unit = {
    val made = open.add(kind)
    if (isOutermost(stack.length) && kind == PickledItems.list) {
      outer = made
      items.length = 0
    }
    stack.push(0, made)
  }

  private def itsOpen(place: Int): Int = {
    val its = stack.of(place)
    if (its == OpenValues.none) refuse()
    its
  }

  private def append(from: Int): Unit = appendAll(itsOpen(from - 1), from)

  private def appendAll(to: Int, from: Int): Unit = {
    var i = from
    while (i < stack.length) {
      val its = hashAt(i)
      if (to == outer) items.push(its)
      open.append(to, its)
      i += 1
    }
    stack.length = from
  }

  private def setItems(from: Int): Unit = {
    val dictionary = itsOpen(from - 1)
    var i = from
    while (i < stack.length) {
      open.unite(dictionary, RecordHash.ofParts(hashAt(i), hashAt(i + 1)))
      i += 2
    }
    stack.length = from
  }

  private def addItems(from: Int): Unit = uniteAll(itsOpen(from - 1), from)

  private def uniteAll(to: Int, from: Int): Unit = {
    var i = from
    while (i < stack.length) {
      open.unite(to, hashAt(i))
      i += 1
    }
    stack.length = from
  }

  private def frozenSet(from: Int): Unit = {
    val made = open.add(PickledItems.frozen)
    uniteAll(made, from)
    stack.push(0, made)
  }

  /** Of all from there on in their order. */
  private def make(kind: Long, from: Int): Unit = {
    val made = open.add(kind)
    appendAll(made, from)
    stack.push(0, made)
  }

  /** Java sends its batches as tuples. */
  private def tuple(from: Int): Unit = {
    var hash = PickledItems.tuple
    var i = from
    val isBatch = isOutermost(from)
    if (isBatch) {
      items.length = 0
      outer = OpenValues.none
    }
    while (i < stack.length) {
      val its = hashAt(i)
      if (isBatch) items.push(its)
      hash = hash * RecordHash.chain + its
      i += 1
    }
    stack.length = from
    push(RecordHash.mixed(hash))
    if (isBatch) {
      isTuple = true
      ofTuple = stack.hash(from)
    }
  }

  /** Classes and functions that are sent along have other names in every process. */
  private def global(module: Long, name: Long): Unit = {
    if (PickledItems.sendsCode.contains(module)) refuse()
    push(RecordHash.mixed(PickledItems.global + RecordHash.ofParts(module, name)))
  }

  private def stackGlobal(): Unit = {
    val from = stack.length - 2
    val (module, name) = (hashAt(from), hashAt(from + 1))
    stack.length = from
    global(module, name)
  }

  /** Of the result, what is called and with what is known; items and a state may be added to it. */
  private def call(parts: Int): Unit = make(PickledItems.called, stack.length - parts)

  private def build(): Unit = {
    val state = hashAt(stack.length - 1)
    stack.length -= 1
    open.append(itsOpen(stack.length - 1), RecordHash.mixed(state + PickledItems.state))
  }
}

private[ledger] object PickledItems {
  private val Seq(none, yes, no, text, binary, array, number, list, tuple, dictionary, set, frozen, global, called, state) =
    (1 to 15).map(kind => RecordHash.mixed(kind * RecordHash.chain))

  /** Modules whose functions make classes and functions anew. */
  private val sendsCode: Set[Long] = {
    val items = new PickledItems
    Set("pyspark.cloudpickle.cloudpickle", "pyspark.cloudpickle", "cloudpickle.cloudpickle", "cloudpickle").map(items.ofText)
  }

  private object Refused extends RuntimeException(null, null, false, false)

  /** Whether it looks like what Python or Java has pickled. */
  def isPickle(bytes: Array[Byte]): Boolean =
    bytes.length > 2 && bytes(0) == 0x80.toByte && bytes(1) >= 2 && bytes(1) <= 5 && bytes(bytes.length - 1) == '.'
}
