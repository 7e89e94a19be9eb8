package reprise.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import scala.Tuple2;

/** Scala's collections to Java's and back, through what Scala 2.12 and 2.13 have alike. */
final class ScalaCollections {
  private ScalaCollections() {}

  static <T> List<T> asJava(scala.collection.Iterable<T> elements) {
    List<T> copied = new ArrayList<>();
    scala.collection.Iterator<T> all = elements.iterator();
    while (all.hasNext()) copied.add(all.next());
    return copied;
  }

  static <T> scala.collection.Iterator<T> asScala(java.util.Iterator<T> elements) {
    return new scala.collection.AbstractIterator<T>() {
      @Override
      public boolean hasNext() {
        return elements.hasNext();
      }

      @Override
      public T next() {
        return elements.next();
      }
    };
  }

  static <K, V> scala.collection.immutable.Map<K, V> asScala(Map<K, V> entries) {
    scala.collection.immutable.Map<K, V> copied = scala.collection.immutable.Map$.MODULE$.empty();
    for (Map.Entry<K, V> entry : entries.entrySet()) {
      copied = copied.$plus(new Tuple2<>(entry.getKey(), entry.getValue()));
    }
    return copied;
  }
}
