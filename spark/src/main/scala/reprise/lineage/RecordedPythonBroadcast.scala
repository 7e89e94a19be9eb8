package reprise.lineage

import java.io.{NotSerializableException, ObjectInputStream, ObjectOutputStream}

import org.apache.spark.sql.execution.access.LineageAccess

/**
 * Read in the place of a recorded broadcast of Python's. Spark's own class reads itself into the block that its recorded
 * number names, which is another broadcast's in this application and goes with it; this one takes a file of its own.
 */
@SerialVersionUID(1L) private[lineage] final class RecordedPythonBroadcast extends Serializable {
  @transient private var made: AnyRef = _

  private def readObject(in: ObjectInputStream): Unit = {
    in.readLong() // the number that it was recorded with
    made = LineageAccess.newPythons(in.transferTo(_))
  }

  private def readResolve(): AnyRef = made

  /** That there is such a method tells Java's serialization that the file follows. */
  private def writeObject(out: ObjectOutputStream): Unit = throw new NotSerializableException(getClass.getName)
}
