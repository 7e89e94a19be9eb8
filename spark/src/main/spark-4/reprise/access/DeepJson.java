package reprise.access;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;

/** JSON without the limits of Spark's Jackson: plans nest deeper than its default of 1000, and functions are longer. */
public final class DeepJson {
  private DeepJson() {}

  public static JsonFactoryBuilder builder() {
    JsonFactoryBuilder builder = new JsonFactoryBuilder();
    builder.streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build());
    builder.streamReadConstraints(
        StreamReadConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).maxStringLength(Integer.MAX_VALUE).build());
    return builder;
  }
}
