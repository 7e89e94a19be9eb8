package reprise.access;

import org.apache.xbean.asm9.Opcodes;
import org.apache.xbean.asm9.commons.Remapper;

/** Other names for the classes of a class file, in Spark's copy of ASM. */
public abstract class ClassNames extends Remapper {
  protected ClassNames() {
    super(Opcodes.ASM9);
  }
}
