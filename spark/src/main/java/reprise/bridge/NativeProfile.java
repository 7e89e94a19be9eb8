package reprise.bridge;

/** The native library's methods for profiles. Loaded only where profiles are taken. */
public final class NativeProfile {
  private NativeProfile() {}

  /**
   * Runs a request of {@code core/profile/profile_request.h}, which says what it may be.
   *
   * @return the answer, JSON
   * @throws IllegalArgumentException for what a user has set wrongly, or a malformed recording
   */
  public static native String run(String requestJson);

  /** The number that the kernel gives the calling thread. */
  public static native long thread();
}
