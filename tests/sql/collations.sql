-- A collated string is not a byte string: whatever runs it must give Spark's answer.
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT n, k FROM small WHERE k COLLATE UTF8_LCASE = 'RED';
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT k COLLATE UTF8_LCASE, count(*) FROM small GROUP BY 1;
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT max(s COLLATE UTF8_LCASE) FROM every_type WHERE s < 'b';
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT count(DISTINCT s COLLATE UTF8_LCASE) FROM every_type;
