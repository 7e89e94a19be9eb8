-- Parts of URLs, which Spark evaluates by a method of an object.
-- each spark.sql.ansi.enabled=true|false

SELECT id, parse_url(concat('http://h', id, '.example:80/', i32, '?key=', id, '&b=2#r'), 'HOST') FROM every_type;
SELECT parse_url(u, 'AUTHORITY'), parse_url(u, 'PATH'), parse_url(u, 'FILE'), parse_url(u, 'QUERY'), parse_url(u, 'QUERY', 'b'), parse_url(u, 'REF'), parse_url(u, 'PROTOCOL'), parse_url(u, 'USERINFO'), parse_url(u, 'NONE') FROM (SELECT concat('https://u:p@h.example/', id, '?a=', id, '&b=x') AS u FROM every_type UNION ALL SELECT concat('ftp://h/', id, '#', id) FROM every_type UNION ALL SELECT concat('mailto:', id, '@h') FROM every_type);
SELECT id, parse_url(concat('http://h/?k', id, '=1&k=2'), 'QUERY', concat('k', id % 3)), parse_url('http://h/p', if(id % 2 = 0, 'HOST', 'PATH')) FROM every_type;
SELECT parse_url(concat('http://', if(id % 2 = 0, 'even', 'odd'), '.example/', id), 'HOST') AS host, count(*) FROM every_type GROUP BY host;
SELECT id, parse_url(u, 'HOST') FROM (SELECT id, if(s LIKE '%a%', NULL, 'http://h') AS u FROM every_type);
SELECT id, parse_url(if(id < 0, 'http://a b', 'http://ab'), 'HOST') FROM every_type WHERE parse_url(concat('http://x', id), 'HOST') > 'x5';
SELECT id, url_decode(url_encode(s)), url_encode(concat('http://h/', s)) FROM every_type;

-- conf spark.sql.ansi.enabled=true
-- error INVALID_URL
SELECT id, parse_url(if(id > 5, 'http://a b', 'http://ab'), 'HOST') FROM every_type;
