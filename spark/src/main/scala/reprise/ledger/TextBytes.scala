package reprise.ledger

import java.nio.{ByteBuffer, ByteOrder}
import java.nio.charset.StandardCharsets.ISO_8859_1

import scala.util.control.NonFatal

import org.apache.spark.unsafe.Platform

/**
 * The letters of a text as bytes: one each where all are of Latin-1, else two, the lower one first. So Java keeps
 * them, mostly: to look at these costs a third of what asking for letter after letter does.
 */
private[ledger] object TextBytes {

  /** Not to be changed: they may be the text's own. */
  def of(text: String): Array[Byte] =
    if (kept < 0) copied(text) else Platform.getObjectVolatile(text, kept).asInstanceOf[Array[Byte]]

  /** The same where nothing is known of how a text is kept. */
  def copied(text: String): Array[Byte] =
    if (isLatin(text)) text.getBytes(ISO_8859_1)
    else {
      val bytes = ByteBuffer.allocate(2 * text.length).order(ByteOrder.LITTLE_ENDIAN)
      bytes.asCharBuffer.put(text)
      bytes.array
    }

  private def isLatin(text: String): Boolean = {
    var i = 0
    while (i < text.length && text.charAt(i) <= 0xff) i += 1
    i == text.length
  }

  /** Where a text has them; negative where it keeps them otherwise, as by -XX:-CompactStrings. */
  private val kept: Long =
    try {
      val access = classOf[sun.misc.Unsafe].getDeclaredField("theUnsafe")
      access.setAccessible(true)
      val unsafe = access.get(null).asInstanceOf[sun.misc.Unsafe]
      val field = classOf[String].getDeclaredField("value")
      val offset = unsafe.objectFieldOffset(field)
      val isSo = field.getType == classOf[Array[Byte]] && Seq("", "one", "gr\u00f6\u00dfer", "\u20ac 7").forall { text =>
        val own = Platform.getObjectVolatile(text, offset).asInstanceOf[Array[Byte]]
        java.util.Arrays.equals(own, copied(text))
      }
      if (isSo) offset else -1
    } catch { case NonFatal(_) => -1 }
}
