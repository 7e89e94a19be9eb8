package reprise.lineage

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.spark.SparkConf

import reprise.bridge.Secrets

/**
 * What the form of recorded objects depends on: Spark writes the rows of local collections and the bounds of ranges by
 * the application's serializer, inside of Java's.
 */
private[lineage] object SerializerSettings {
  private val serializer = "spark.serializer"
  private val byDefault = "org.apache.spark.serializer.JavaSerializer"

  def write(conf: SparkConf, header: ObjectNode): Unit = {
    val settings = header.putObject("serializer").put(serializer, nameIn(conf))
    conf.getAll.filter(_._1.startsWith("spark.kryo")).foreach { case (key, value) =>
      settings.put(key, Secrets.redacted(key, value))
    }
  }

  /** Empty of a recording that does not say. */
  def of(reader: RecordingReader): Seq[(String, String)] =
    reader.header.path("serializer").properties.asScala
      .map(p => p.getKey -> p.getValue.asText).filter(_._2 != Secrets.hidden).toIndexedSeq

  /** Why what was recorded can't be read with `conf`, if its serializer is another one. */
  def difference(reader: RecordingReader, conf: SparkConf): Option[String] = {
    val settings = of(reader)
    settings.collectFirst { case (`serializer`, name) if name != nameIn(conf) =>
      s"it was recorded with another serializer than this application's, ${nameIn(conf)}; expected the settings " +
        settings.map { case (key, value) => s"--conf $key=$value" }.mkString(" ")
    }
  }

  private def nameIn(conf: SparkConf): String = conf.get(serializer, byDefault)
}
