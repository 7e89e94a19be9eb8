package reprise.bridge;

/** Gives a fragment the encoded blocks of an exchange. */
public interface BlockSource {
  /** The next block, or null at the end. */
  byte[] next();
}
