package reprise.serialize

import org.apache.orc.OrcConf
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.TimestampType

/** Settings of Spark's reader of ORC that change what it reads. */
private[serialize] object OrcSettings {

  private val decisive = Seq(
    OrcConf.FORCE_POSITIONAL_EVOLUTION,
    OrcConf.PROLEPTIC_GREGORIAN,
    OrcConf.PROLEPTIC_GREGORIAN_DEFAULT,
    OrcConf.SKIP_CORRUPT_DATA,
    OrcConf.TOLERATE_MISSING_SCHEMA)

  /** The names of those that are not as by default. */
  def changed(relation: HadoopFsRelation): Seq[String] = {
    val state = relation.sparkSession.sessionState
    val conf = state.newHadoopConfWithOptions(relation.options)
    val ofOrc = decisive.filter(setting => setting.getBoolean(conf) != setting.getDefaultValue).map(_.getAttribute)
    if (state.conf.timestampType == TimestampType) ofOrc else ofOrc :+ SQLConf.TIMESTAMP_TYPE.key
  }
}
