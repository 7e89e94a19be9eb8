package reprise.bridge

import org.apache.hadoop.conf.Configuration
import org.apache.spark.SparkConf
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.util.SerializableConfiguration
import org.scalatest.funsuite.AnyFunSuite

class SecretsSuite extends AnyFunSuite {
  private val own = new SparkConf(false).set("spark.my.token", "own")
  private val hadoop = new Configuration(false)
  hadoop.set("fs.s3a.secret.key", "own")

  private def restored[T](value: AnyRef): T = Secrets.restored(value, own, hadoop).asInstanceOf[T]

  test("what is named like a secret leaves without its value") {
    val options = Map("header" -> "true", "password" -> "x", "fs.s3a.access.key" -> "y")
    assert(Secrets.redacted(options) ===
      Map("header" -> "true", "password" -> Secrets.hidden, "fs.s3a.access.key" -> Secrets.hidden))
    assert(Secrets.redacted("spark.sql.password", null) === null)
  }

  test("URLs leave without their passwords") {
    val said = Map(
      "jdbc:postgresql://host:5432/db?user=u&password=x1&ssl=true" ->
        s"jdbc:postgresql://host:5432/db?user=u&password=${Secrets.hidden}&ssl=true",
      "jdbc:sqlserver://host;databaseName=d;PWD=x1;" -> s"jdbc:sqlserver://host;databaseName=d;PWD=${Secrets.hidden};",
      "https://user:x1$y@host/path?sig=x1" -> s"https://user:${Secrets.hidden}@host/path?sig=${Secrets.hidden}",
      "mongodb://:x1@host" -> s"mongodb://:${Secrets.hidden}@host",
      "hdfs://host:8020/a@b" -> "hdfs://host:8020/a@b",
      "a text; password=x1" -> "a text; password=x1")
    said.foreach { case (value, left) => assert(Secrets.redacted("url", value) === left) }
    val conf = new SparkConf(false).set("spark.my.url", "https://me:theirs@host").set("spark.b", "b")
    val left = Secrets.without(conf)
    assert(left.asInstanceOf[SparkConf].get("spark.my.url") === s"https://me:${Secrets.hidden}@host")
    own.set("spark.my.url", "https://me:own@host")
    assert(restored[SparkConf](left).get("spark.my.url") === "https://me:own@host")
    hadoop.set("my.url", "https://me:own@host")
    val settings = new Configuration(false)
    settings.set("my.url", "https://me:theirs@host")
    val read = restored[SerializableConfiguration](Secrets.without(new SerializableConfiguration(settings)))
    assert(read.value.get("my.url") === "https://me:own@host")
    val options = Secrets.without(CaseInsensitiveMap(Map("url" -> "jdbc:x://h?password=x1")))
    assert(options.asInstanceOf[CaseInsensitiveMap[String]].get("url") === Some(s"jdbc:x://h?password=${Secrets.hidden}"))
  }

  test("a Hadoop configuration comes back with the secrets of its reader") {
    val conf = new Configuration(false)
    Seq("fs.s3a.secret.key", "spark.my.token", "other.password", "plain").foreach(conf.set(_, "theirs"))
    val left = Secrets.without(new SerializableConfiguration(conf)).asInstanceOf[SerializableConfiguration]
    assert(left.value.get("fs.s3a.secret.key") === Secrets.hidden)
    assert(conf.get("fs.s3a.secret.key") === "theirs")
    val read = restored[SerializableConfiguration](left).value
    val found = Seq("fs.s3a.secret.key", "spark.my.token", "other.password", "plain").map(read.get)
    assert(found === Seq("own", "own", null, "theirs"))
  }

  test("so do Spark's configuration and readers' options") {
    val conf = new SparkConf(false).set("spark.my.token", "theirs").set("spark.a.secret", "theirs").set("spark.b", "b")
    val read = restored[SparkConf](Secrets.without(conf))
    assert(read.getAll.toMap === Map("spark.my.token" -> "own", "spark.b" -> "b"))
    val options = Secrets.without(CaseInsensitiveMap(Map("Password" -> "theirs", "header" -> "true")))
    assert(options.asInstanceOf[CaseInsensitiveMap[String]].get("password") === Some(Secrets.hidden))
    assert(restored[(String, String)](Secrets.without(("spark.my.token", "theirs"))) === (("spark.my.token", "own")))
    assert(Secrets.without(("token", "a user's row")) === (("token", "a user's row")))
    assert(restored[CaseInsensitiveMap[String]](options).originalMap === Map("header" -> "true"))
  }
}
