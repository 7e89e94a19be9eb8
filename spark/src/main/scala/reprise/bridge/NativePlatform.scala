package reprise.bridge

/**
 * What native libraries are built for.
 *
 * @param name of the folder of a jar that has Reprise's libraries
 * @param profiler of the folder of a jar that has async-profiler's
 */
final class NativePlatform private (val name: String, val profiler: String)

object NativePlatform {
  private val x86 = new NativePlatform("linux-x86_64", "linux-x64")
  private val arm = new NativePlatform("linux-aarch64", "linux-arm64")

  val all: Seq[NativePlatform] = Seq(x86, arm)

  /** By Java's names, `os.name` and `os.arch`; an error where there are no native libraries for it. */
  def apply(os: String, architecture: String): NativePlatform = (os, architecture) match {
    case ("Linux", "amd64" | "x86_64") => x86
    case ("Linux", "aarch64") => arm
    case _ =>
      throw new UnsatisfiedLinkError(
        s"Reprise runs on Linux on x86_64 and aarch64 only, not on $os on $architecture: take it out of spark.plugins")
  }
}
