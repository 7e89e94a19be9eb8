-- Values of 70,000 bytes, in one task: as many rows of them as a batch may have are more than two gigabytes.

-- expect native: RepriseBroadcastHashJoin
SELECT count(*), sum(length(s)), min(s) < max(s) FROM
  (SELECT id % 3 AS k FROM range(0, 33000, 1, 1)) a
  JOIN (SELECT id AS k, repeat(cast(id AS string), 70000) AS s FROM range(3)) b ON a.k = b.k;

-- expect native: RepriseProject
SELECT sum(octet_length(s)), max(s) > '3' FROM
  (SELECT repeat('12345', 14000 + cast(id % 2 AS int)) AS s FROM range(0, 33000, 1, 1));

-- One large value among small ones, in every operator that gathers rows.
-- ordered
SELECT k, length(s) AS n FROM (SELECT id % 7 AS k, if(id = 5, repeat('x', 3000000), cast(id AS string)) AS s FROM range(40))
  ORDER BY s DESC, k LIMIT 6;

SELECT length(s), count(*), max(length(m)) FROM
  (SELECT s, max(concat(s, 'y')) AS m FROM
    (SELECT if(id % 10 = 5, repeat('x', 1000000 + id), cast(id % 4 AS string)) AS s FROM range(40)) GROUP BY s)
  GROUP BY length(s);
