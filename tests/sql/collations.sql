-- A collated string is not a byte string: whatever runs it must give Spark's answer.
SELECT n, k FROM small WHERE k COLLATE UTF8_LCASE = 'RED';
SELECT k COLLATE UTF8_LCASE, count(*) FROM small GROUP BY 1;
SELECT max(s COLLATE UTF8_LCASE) FROM every_type WHERE s < 'b';
SELECT count(DISTINCT s COLLATE UTF8_LCASE) FROM every_type;
