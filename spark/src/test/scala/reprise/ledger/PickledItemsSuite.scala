package reprise.ledger

import java.util.Base64

import scala.io.Source

import net.razorvine.pickle.Pickler
import org.scalatest.funsuite.AnyFunSuite

/** Over what `tests/support/keep_pickles.py` has written. */
class PickledItemsSuite extends AnyFunSuite {
  private val whole +: backwards +: single = {
    val file = Source.fromResource("reprise/ledger/pickles.txt")
    try file.getLines().map(Base64.getDecoder.decode).toVector
    finally file.close()
  }

  private def hashes(batch: Array[Byte]): Seq[Long] = {
    val items = new PickledItems
    assert(items.read(batch))
    (0 until items.length).map(items(_))
  }

  private def isRefused(batch: Array[Byte]): Boolean = !(new PickledItems).read(batch)

  private def ofJava(values: AnyRef): Array[Byte] = new Pickler().dumps(values)

  private def bytes(opcodes: String): Array[Byte] = opcodes.getBytes("ISO-8859-1")

  test("items have the same hashes wherever their batch was cut") {
    assert(single.length > 30)
    assert(hashes(whole) === single.flatMap(hashes))
    assert(hashes(backwards) === single.reverse.flatMap(hashes))
  }

  test("other items have other hashes") {
    val all = hashes(whole)
    val same = all.indices.groupBy(all(_)).values.filter(_.length > 1)
    assert(same.toSeq === Nil)
  }

  test("one machine reads batch after batch") {
    val items = new PickledItems
    (single ++ Seq(whole.take(20), whole)).foreach(items.read)
    assert((0 until items.length).map(items(_)) === hashes(whole))
  }

  test("batches of Java's, which are tuples of an older protocol, have the hashes of Python's") {
    val numbers = single.take(5).flatMap(hashes)
    assert(hashes(ofJava(Array[AnyRef](1: Integer, 300: Integer, 70000: Integer, -5: Integer, 1L << 40: java.lang.Long))) === numbers)
    assert(hashes(ofJava(Array[AnyRef]("one"))) === hashes(single(11)))
    assert(hashes(ofJava(java.util.List.of("one", java.util.Map.of()))).take(1) === hashes(single(11)))
  }

  test("a tuple within a batch of Java's is one item, as a list is") {
    val pairs = ofJava(Array[AnyRef](Array[AnyRef]("one", 1: Integer), java.util.List.of(1, 2), Array[AnyRef](1: Integer, 2: Integer, 3: Integer, 4: Integer)))
    assert(hashes(pairs).length === 3)
    val ofPython = bytes("\u0080\u0005](\u008c\u0003oneK\u0001\u0086](K\u0001K\u0002e(K\u0001K\u0002K\u0003K\u0004te.")
    assert(hashes(pairs) === hashes(ofPython))
    assert(hashes(ofJava(Array[AnyRef](java.util.List.of(1, 2)))).length === 1)
  }

  test("what a list is a part of is not the list") {
    def of(opcodes: String) = hashes(bytes("\u0080\u0005" + opcodes + "."))
    val two = of("](K\u0001K\u0002eK\u0003\u0086")
    assert(two.length === 2)
    assert(two.toSet !== of("]K\u0001aK\u0002K\u0003\u0087").toSet)
    assert(of("](K\u0001K\u0002e\u0085\u0085").length === 1)
    assert(of("](K\u0001K\u0002e") === of("K\u0001K\u0002\u0086"))
  }

  test("a set is the same in another order, a list is not") {
    def of(opcodes: String) = hashes(bytes("\u0080\u0005](" + opcodes + "e."))
    assert(of("\u008f(K\u0001K\u0002\u0090") === of("\u008f(K\u0002K\u0001\u0090"))
    assert(of("}(K\u0001NK\u0002Nu") === of("}(K\u0002NK\u0001Nu"))
    assert(of("](K\u0001K\u0002e") !== of("](K\u0002K\u0001e"))
  }

  test("what is not in a list is an item itself") {
    assert(hashes(bytes("\u0080\u0005K\u0001.")) === hashes(single.head))
  }

  test("a pickle that is cut off or damaged is refused or read, and no more") {
    (0 until whole.length).foreach(length => assert(isRefused(whole.take(length)), length))
    val random = new scala.util.Random(7)
    (1 to 20000).foreach { _ =>
      val damaged = whole.clone()
      damaged(random.nextInt(damaged.length)) = random.nextInt().toByte
      (new PickledItems).read(damaged)
    }
  }

  test("functions and classes that are sent along are refused, and what Python keeps beside a pickle") {
    assert(isRefused(bytes("\u0080\u0005](cpyspark.cloudpickle.cloudpickle\n_make_function\n)Re.")))
    assert(hashes(bytes("\u0080\u0005](cbuiltins\nlist\n)Re.")).length === 1)
    assert(isRefused(bytes("\u0080\u0005]\u0097a.")))
    assert(isRefused(bytes("\u0080\u0005](K\u0001Qe.")))
  }

  test("bytes that are no pickle are told by their ends") {
    assert(PickledItems.isPickle(whole))
    Seq("", "x", "no pickle.", "\u0080\u0009].", "\u0080\u0005]x").foreach(text => assert(!PickledItems.isPickle(bytes(text)), text))
  }
}
