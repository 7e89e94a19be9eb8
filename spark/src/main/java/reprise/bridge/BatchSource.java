package reprise.bridge;

/** Gives a fragment the batches of another fragment of the same task. */
public interface BatchSource {
  /** The handle of the next batch, which is the caller's from now on, or 0 at the end. */
  long next();
}
