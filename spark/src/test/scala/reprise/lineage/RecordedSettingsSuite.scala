package reprise.lineage

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, NotSerializableException, ObjectInputStream}
import java.nio.charset.StandardCharsets.ISO_8859_1
import java.util.{Collections, IdentityHashMap, Properties}
import java.util.concurrent.{ConcurrentHashMap, ConcurrentSkipListMap}

import scala.collection.{immutable, mutable}
import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.mapred.JobConf
import org.apache.spark.{SerializableWritable, SparkConf}
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.util.SerializableConfiguration
import org.scalatest.funsuite.AnyFunSuite

import reprise.access.SecretInternals
import reprise.bridge.Secrets

/** Settings leave without secrets in whatever holds them, and come back with those of who reads them. */
class RecordedSettingsSuite extends AnyFunSuite {
  private val own = new SparkConf(false).set("spark.a.password", "own")
  private val hadoop = new Configuration(false)
  hadoop.set("fs.s3a.secret.key", "own")

  private val plain = Seq.tabulate(6)(i => s"spark.plain.$i" -> s"$i")
  private val secret = Seq("spark.a.password" -> "VERYSECRET1", "fs.s3a.secret.key" -> "VERYSECRET2")
  private val unknown = "spark.b.token" -> "VERYSECRET3"

  private def written(value: AnyRef): Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    // As a field of something else, and once more by reference.
    val stream = new RddOutputStream(bytes, Array(value, value), _ => false, new IdentityHashMap, _ => ())
    stream.writeRoot(Array(value, value))
    bytes.toByteArray
  }

  private def read(bytes: Array[Byte]): AnyRef = {
    val stream = new ObjectInputStream(new ByteArrayInputStream(bytes)) {
      enableResolveObject(true)
      override protected def resolveObject(value: AnyRef): AnyRef = Secrets.restored(value, own, hadoop)
    }
    val Array(one, other) = stream.readObject().asInstanceOf[Array[AnyRef]]
    assert(one eq other)
    one
  }

  /** What comes back, as entries in their order; `value` itself must be as it was. */
  private def travelled(value: AnyRef): Seq[(Any, Any)] = {
    val before = entries(value)
    val bytes = written(value)
    assert(!new String(bytes, ISO_8859_1).contains("VERYSECRET"), value.getClass)
    assert(entries(value) === before)
    val back = read(bytes)
    assert(back.getClass === value.getClass || before.length > entries(back).length)
    entries(back)
  }

  private def entries(value: AnyRef): Seq[(Any, Any)] = value match {
    case map: collection.Map[_, _] => map.toIndexedSeq
    case map: java.util.Map[_, _] => map.asScala.toIndexedSeq
    case conf: SparkConf => conf.getAll.toIndexedSeq
    case conf => SecretInternals.wrapped(conf).iterator.asScala.map(e => e.getKey -> e.getValue).toIndexedSeq
  }

  private def restored(settings: Seq[(String, String)]) = settings.map { case (name, setting) =>
    name -> (if (setting.startsWith("VERYSECRET")) "own" else setting)
  }

  /** Each size has a class of its own in Scala. */
  private val settings = (1 to 8).map(n => (secret ++ plain).take(n)) :+ (plain ++ secret)

  test("maps of Scala's that do not change") {
    settings.foreach { all =>
      Seq[immutable.Map[String, String]](
        immutable.Map(all: _*),
        immutable.ListMap(all: _*),
        immutable.TreeMap(all: _*)).foreach { map =>
        assert(travelled(map) === restored(map.toIndexedSeq))
        assert(travelled(map.withDefaultValue("none")).toMap === restored(all).toMap)
      }
    }
  }

  test("maps of Scala's that change") {
    settings.foreach { all =>
      assert(travelled(mutable.HashMap(all: _*)).toMap === restored(all).toMap)
      assert(travelled(mutable.LinkedHashMap(all: _*)) === restored(all))
      assert(travelled(collection.concurrent.TrieMap(all: _*)).toMap === restored(all).toMap)
      assert(travelled(filled(new java.util.HashMap[String, String], all).asScala).toMap === restored(all).toMap)
    }
  }

  private def filled[M <: java.util.Map[String, String]](empty: M, all: Seq[(String, String)]): M = {
    all.foreach { case (name, setting) => empty.put(name, setting) }
    empty
  }

  test("maps of Java's and properties") {
    settings.foreach { all =>
      assert(travelled(filled(new java.util.LinkedHashMap[String, String], all)) === restored(all))
      val properties = new Properties
      all.foreach { case (name, setting) => properties.setProperty(name, setting) }
      Seq[AnyRef](
        filled(new java.util.HashMap[String, String], all),
        filled(new java.util.TreeMap[String, String], all),
        filled(new java.util.Hashtable[String, String], all),
        filled(new ConcurrentHashMap[String, String], all),
        filled(new ConcurrentSkipListMap[String, String], all),
        Collections.unmodifiableMap[String, String](filled(new java.util.HashMap[String, String], all)),
        Collections.synchronizedMap[String, String](filled(new java.util.HashMap[String, String], all)),
        properties).foreach(map => assert(travelled(map).toMap === restored(all).toMap))
    }
    assert(travelled(Collections.singletonMap(secret.head._1, secret.head._2)) === restored(secret.take(1)))
  }

  test("whatever properties are called") {
    val properties = new Properties
    Map("user" -> "me", "password" -> "VERYSECRET1", "url" -> "jdbc:x://h?password=VERYSECRET2").foreach {
      case (name, setting) => properties.setProperty(name, setting)
    }
    assert(travelled(properties) === Seq("user" -> "me"))
    assert(!new String(written("jdbc:x://h?password=VERYSECRET"), ISO_8859_1).contains("VERYSECRET"))
  }

  test("configurations of Spark's and of Hadoop's") {
    settings.foreach { all =>
      def conf(empty: Configuration) = {
        all.foreach { case (name, setting) => empty.set(name, setting) }
        empty
      }
      Seq(
        new SparkConf(false).setAll(all),
        new SerializableConfiguration(conf(new Configuration(false))),
        sparksOwn(conf(new JobConf(false))),
        new SerializableWritable(conf(new Configuration(false))),
        new SerializableWritable(conf(new JobConf(false)))).foreach { value =>
        assert(travelled(value).toMap === restored(all).toMap)
      }
    }
  }

  /** Only Spark may name its class. */
  private def sparksOwn(conf: Configuration): AnyRef =
    Class
      .forName("org.apache.spark.util.SerializableJobConf")
      .getConstructor(classOf[JobConf])
      .newInstance(conf)
      .asInstanceOf[AnyRef]

  test("what who reads does not have is left out") {
    val all = unknown +: plain
    val ordered = filled(new java.util.TreeMap[String, String], all)
    Seq[AnyRef](immutable.ListMap(all: _*), mutable.LinkedHashMap(all: _*), ordered).foreach { map =>
      assert(travelled(map).filter(_._2 != "") === plain)
    }
    assert(travelled(Map(unknown)) === Nil)
    assert(travelled(Collections.singletonMap(unknown._1, unknown._2)) === Nil)
    assert(travelled(CaseInsensitiveMap(Map("password" -> "VERYSECRET"))) === Nil)
  }

  test("rows of a user's stay as they are") {
    Seq[AnyRef](
      Map("password" -> "a row's"),
      Map(1 -> "spark"),
      mutable.HashMap("token" -> 1),
      Map("spark.token" -> 1)).foreach(rows => assert(entries(read(written(rows))) === entries(rows)))
  }

  test("a map that cannot be made again without its secrets is not written") {
    val mine = new MapOfItsOwn
    mine.put("spark.a", "1")
    assert(read(written(mine)) === mine)
    mine.put("spark.a.password", "VERYSECRET")
    val said = intercept[NotSerializableException](written(mine)).getMessage
    assert(said === s"${classOf[MapOfItsOwn].getName} that holds secrets")
  }
}

final class MapOfItsOwn extends ConcurrentHashMap[String, String]
