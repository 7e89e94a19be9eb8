package reprise.ledger

/** An RDD, or the serializer of a shuffle, whose records the core sums up where it makes them: they are a query's. */
private[reprise] trait SummedWhereMade
