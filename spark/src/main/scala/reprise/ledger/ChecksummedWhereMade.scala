package reprise.ledger

/** An RDD, or the serializer of a shuffle, whose records the core checksums where it makes them: they are a query's. */
private[reprise] trait ChecksummedWhereMade
