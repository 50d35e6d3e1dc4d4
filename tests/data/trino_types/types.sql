SELECT abs(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT abs(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT abs(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT abs(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT abs(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT abs(DECIMAL '12') FROM (VALUES 1) t(x) WHERE x < 0
SELECT abs(DECIMAL '12345678901234567890.123') FROM (VALUES 1) t(x) WHERE x < 0
SELECT abs(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT abs(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT abs(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ceil(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ceil(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ceil(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ceil(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ceil(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ceil(DECIMAL '12') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ceil(DECIMAL '12345678901234567890.123') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ceil(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ceil(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ceil(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT floor(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT floor(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT floor(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT floor(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT floor(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT floor(DECIMAL '12') FROM (VALUES 1) t(x) WHERE x < 0
SELECT floor(DECIMAL '12345678901234567890.123') FROM (VALUES 1) t(x) WHERE x < 0
SELECT floor(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT floor(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT floor(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(DECIMAL '12') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(DECIMAL '12345678901234567890.123') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(TINYINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(SMALLINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(SMALLINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(BIGINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(BIGINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.50, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.50, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.50, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(DECIMAL '12', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(DECIMAL '12', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(DECIMAL '12', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(DECIMAL '12345678901234567890.123', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(DECIMAL '12345678901234567890.123', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(DECIMAL '12345678901234567890.123', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(REAL '1.5', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(REAL '1.5', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(REAL '1.5', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.5, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.5, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.5e0, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT round(1.5e0, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(DECIMAL '12') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(DECIMAL '12345678901234567890.123') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1.50, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1.50, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1.50, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(DECIMAL '12', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(DECIMAL '12', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(DECIMAL '12', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(DECIMAL '12345678901234567890.123', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(DECIMAL '12345678901234567890.123', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(DECIMAL '12345678901234567890.123', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1.5, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT truncate(1.5, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sign(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sign(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sign(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sign(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sign(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sign(DECIMAL '12') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sign(DECIMAL '12345678901234567890.123') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sign(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sign(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sign(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sqrt(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sqrt(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sqrt(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sqrt(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT cbrt(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cbrt(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cbrt(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cbrt(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1.5, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1.5, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1.5, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1.5e0, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1.5e0, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(1.5e0, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(REAL '1.5', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(REAL '1.5', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(REAL '1.5', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT power(REAL '1.5', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT exp(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT exp(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT exp(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT exp(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ln(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ln(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ln(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ln(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1.5, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1.5, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1.5, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1.5e0, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1.5e0, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(1.5e0, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(REAL '1.5', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(REAL '1.5', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(REAL '1.5', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log(REAL '1.5', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT log2(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log2(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log2(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log2(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT log10(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log10(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log10(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT log10(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sin(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sin(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sin(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sin(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT cos(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cos(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cos(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cos(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT tan(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT tan(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT tan(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT tan(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT asin(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT asin(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT asin(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT asin(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT acos(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT acos(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT acos(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT acos(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1.5, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1.5, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1.5, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1.5e0, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1.5e0, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(1.5e0, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(REAL '1.5', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(REAL '1.5', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(REAL '1.5', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT atan2(REAL '1.5', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sinh(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sinh(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sinh(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sinh(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT cosh(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cosh(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cosh(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cosh(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT tanh(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT tanh(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT tanh(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT tanh(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT degrees(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT degrees(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT degrees(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT degrees(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT radians(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT radians(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT radians(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT radians(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest('abc', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1.50, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1.50, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1.50, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1.50, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1.50, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1e0, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1e0, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1e0, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1e0, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(ARRAY[1], ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(ARRAY[1], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(BIGINT '1', 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(BIGINT '1', 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(BIGINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(BIGINT '1', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(CAST('abc' AS varchar), NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(DATE '2020-01-31', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(DATE '2020-01-31', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL, true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIME '01:02:03.4567', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIME '01:02:03.4567', TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4 UTC', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4 UTC', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4567', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4567', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(X'61', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(X'61', X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(true, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(true, true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT greatest(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least('abc', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1.50, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1.50, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1.50, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1.50, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1.50, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1e0, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1e0, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1e0, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1e0, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(ARRAY[1], ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(ARRAY[1], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(BIGINT '1', 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(BIGINT '1', 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(BIGINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(BIGINT '1', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(CAST('abc' AS varchar), NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(DATE '2020-01-31', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(DATE '2020-01-31', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL, true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIME '01:02:03.4567', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIME '01:02:03.4567', TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4 UTC', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4 UTC', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4567', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4567', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(X'61', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(X'61', X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(true, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(true, true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT least(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT random() FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(SMALLINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(BIGINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(BIGINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(BIGINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(SMALLINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(SMALLINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(TINYINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT random(TINYINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_nan(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_nan(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_nan(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_nan(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_finite(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_finite(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_finite(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_finite(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_infinite(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_infinite(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_infinite(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT is_infinite(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, 1, 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, 1, 1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, 1, 1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, 1, 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, 1, 1.5, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, 1, 1.5e0, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, 1, REAL '1.5', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, 1.5, 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, 1.5e0, 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, 1.5e0, 1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1, REAL '1.5', 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5, 1, 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5, 1.5e0, 1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, 1, 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, 1, 1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, 1.5, 1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, 1.5e0, 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, 1.5e0, 1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, 1.5e0, 1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, 1.5e0, 1.5e0, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, 1.5e0, 1.5e0, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, 1.5e0, 1.5e0, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, 1.5e0, REAL '1.5', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(1.5e0, REAL '1.5', 1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(REAL '1.5', 1, 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT width_bucket(REAL '1.5', 1.5e0, 1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(BIGINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(BIGINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(BIGINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(SMALLINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(SMALLINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(SMALLINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(TINYINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(TINYINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and(TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(BIGINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(BIGINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(BIGINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(SMALLINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(SMALLINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(SMALLINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(TINYINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(TINYINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or(TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(BIGINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(BIGINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(BIGINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(SMALLINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(SMALLINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(SMALLINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(TINYINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(TINYINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor(TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_not(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_not(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_not(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_not(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_left_shift(TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_left_shift(SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_left_shift(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_left_shift(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_right_shift(TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_right_shift(SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_right_shift(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_right_shift(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT length('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT length(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT length(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT length(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT lower('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT lower(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT lower(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT upper('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT upper(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT upper(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT trim(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT ltrim(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rtrim(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar(7)), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar(7)), BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar(7)), SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar(7)), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', 1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', 1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring('abc', TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar(7)), 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar(7)), TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), BIGINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), SMALLINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), TINYINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), TINYINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT substring(CAST('abc' AS varchar), TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos('abc', 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos('abc', 'abc', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos('abc', 'abc', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos('abc', 'abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos('abc', CAST('abc' AS varchar(7)), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos('abc', CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos('abc', CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar(7)), 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar(7)), CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar), 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar), 'abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar), CAST('abc' AS varchar(7)), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar), CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar), CAST('abc' AS varchar), BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar), CAST('abc' AS varchar), SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT strpos(CAST('abc' AS varchar), CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace('abc', 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace('abc', 'abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace('abc', 'abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace('abc', CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace('abc', CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace('abc', CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar(7)), 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar(7)), CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar), 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar), 'abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar), CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar), CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar), CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT replace(CAST('abc' AS varchar), CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT reverse('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT reverse(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT reverse(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT reverse(ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT reverse(ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT reverse(ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT reverse(ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT reverse(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(ARRAY['a', 'bcd'], ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(ARRAY[1, 2], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(ARRAY[1, 2], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(ARRAY[1.5, 2], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(ARRAY[1.5, 2], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(ARRAY[NULL], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat(X'61', X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws('abc', ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws(CAST('abc' AS varchar(7)), ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws(CAST('abc' AS varchar), ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT concat_ws(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad('abc', 1, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad('abc', 1, CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad('abc', 1, CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad('abc', BIGINT '1', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad('abc', SMALLINT '1', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad('abc', TINYINT '1', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad('abc', TINYINT '1', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad(CAST('abc' AS varchar(7)), 1, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad(CAST('abc' AS varchar(7)), TINYINT '1', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad(CAST('abc' AS varchar), 1, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad(CAST('abc' AS varchar), 1, CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad(CAST('abc' AS varchar), BIGINT '1', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad(CAST('abc' AS varchar), SMALLINT '1', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad(CAST('abc' AS varchar), TINYINT '1', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad(CAST('abc' AS varchar), TINYINT '1', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT lpad(CAST('abc' AS varchar), TINYINT '1', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad('abc', 1, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad('abc', 1, CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad('abc', 1, CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad('abc', BIGINT '1', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad('abc', SMALLINT '1', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad('abc', TINYINT '1', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad('abc', TINYINT '1', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad(CAST('abc' AS varchar(7)), 1, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad(CAST('abc' AS varchar(7)), TINYINT '1', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad(CAST('abc' AS varchar), 1, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad(CAST('abc' AS varchar), 1, CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad(CAST('abc' AS varchar), BIGINT '1', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad(CAST('abc' AS varchar), SMALLINT '1', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad(CAST('abc' AS varchar), TINYINT '1', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad(CAST('abc' AS varchar), TINYINT '1', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT rpad(CAST('abc' AS varchar), TINYINT '1', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split('abc', 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split('abc', 'abc', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split('abc', 'abc', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split('abc', 'abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split('abc', CAST('abc' AS varchar(7)), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split('abc', CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split('abc', CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar(7)), 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar(7)), CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar), 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar), 'abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar), CAST('abc' AS varchar(7)), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar), CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar), CAST('abc' AS varchar), BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar), CAST('abc' AS varchar), SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split(CAST('abc' AS varchar), CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part('abc', 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part('abc', 'abc', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part('abc', 'abc', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part('abc', 'abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part('abc', CAST('abc' AS varchar(7)), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part('abc', CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part('abc', CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part(CAST('abc' AS varchar(7)), 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part(CAST('abc' AS varchar(7)), CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part(CAST('abc' AS varchar), 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part(CAST('abc' AS varchar), 'abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part(CAST('abc' AS varchar), CAST('abc' AS varchar(7)), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part(CAST('abc' AS varchar), CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part(CAST('abc' AS varchar), CAST('abc' AS varchar), BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part(CAST('abc' AS varchar), CAST('abc' AS varchar), SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT split_part(CAST('abc' AS varchar), CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT starts_with('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT starts_with('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT starts_with('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT starts_with(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT starts_with(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT starts_with(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT starts_with(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT starts_with(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT starts_with(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT chr(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT chr(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT chr(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT chr(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate('abc', 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate('abc', 'abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate('abc', 'abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate('abc', CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate('abc', CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate('abc', CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate(CAST('abc' AS varchar(7)), 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate(CAST('abc' AS varchar(7)), CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate(CAST('abc' AS varchar), 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate(CAST('abc' AS varchar), 'abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate(CAST('abc' AS varchar), CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate(CAST('abc' AS varchar), CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate(CAST('abc' AS varchar), CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT translate(CAST('abc' AS varchar), CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat('abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat('abc', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat('abc', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat('abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1.50, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1.50, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1.50, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1.50, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1e0, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1e0, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(1e0, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(ARRAY[1], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(ARRAY[1], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(ARRAY[1], SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(ARRAY[1], TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(BIGINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(BIGINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(BIGINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(CAST('abc' AS varchar), BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(CAST('abc' AS varchar), SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(DATE '2020-01-31', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(DATE '2020-01-31', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(DATE '2020-01-31', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(DATE '2020-01-31', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(NULL, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(NULL, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(NULL, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(NULL, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIME '01:02:03.4567', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIME '01:02:03.4567', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIME '01:02:03.4567', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIME '01:02:03.4567', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03.4 UTC', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03.4 UTC', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03.4567', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03.4567', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03.4567', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(TIMESTAMP '2020-01-31 01:02:03.4567', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(X'61', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(X'61', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(X'61', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(X'61', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(true, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(true, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(true, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT repeat(true, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT levenshtein_distance('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT levenshtein_distance('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT levenshtein_distance('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT levenshtein_distance(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT levenshtein_distance(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT levenshtein_distance(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT levenshtein_distance(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT levenshtein_distance(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT levenshtein_distance(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT hamming_distance('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hamming_distance('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT hamming_distance('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT hamming_distance(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hamming_distance(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT hamming_distance(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT hamming_distance(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hamming_distance(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT hamming_distance(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT normalize('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT normalize(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT normalize(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_like('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_like('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_like('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_like(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_like(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_like(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_like(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_like(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_like(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract('abc', 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract('abc', 'abc', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract('abc', 'abc', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract('abc', 'abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract('abc', CAST('abc' AS varchar(7)), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract('abc', CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract('abc', CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar(7)), 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar(7)), CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar), 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar), 'abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar), CAST('abc' AS varchar(7)), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar), CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar), CAST('abc' AS varchar), BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar), CAST('abc' AS varchar), SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract(CAST('abc' AS varchar), CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all('abc', 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all('abc', 'abc', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all('abc', 'abc', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all('abc', 'abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all('abc', CAST('abc' AS varchar(7)), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all('abc', CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all('abc', CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar(7)), 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar(7)), CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar), 'abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar), 'abc', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar), CAST('abc' AS varchar(7)), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar), CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar), CAST('abc' AS varchar), BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar), CAST('abc' AS varchar), SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_extract_all(CAST('abc' AS varchar), CAST('abc' AS varchar), TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace('abc', 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace('abc', 'abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace('abc', 'abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace('abc', CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace('abc', CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace('abc', CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar(7)), 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar(7)), CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar), 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar), 'abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar), CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar), CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar), CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_replace(CAST('abc' AS varchar), CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_count('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_count('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_count('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_count(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_count(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_count(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_count(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_count(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_count(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_position('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_position('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_position('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_position(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_position(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_position(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_position(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_position(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_position(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_split('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_split('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_split('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_split(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_split(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_split(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_split(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_split(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regexp_split(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce('abc', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1.50, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1.50, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1.50, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1.50, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1.50, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1e0, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1e0, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1e0, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(1e0, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(ARRAY[1], ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(ARRAY[1], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(BIGINT '1', 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(BIGINT '1', 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(BIGINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(BIGINT '1', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(CAST('abc' AS varchar), NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(DATE '2020-01-31', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(DATE '2020-01-31', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(NULL, true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIME '01:02:03.4567', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIME '01:02:03.4567', TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03.4 UTC', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03.4 UTC', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03.4567', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03.4567', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(X'61', NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(X'61', X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(true, NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT coalesce(true, true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT nullif('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT nullif(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT nullif(1.50, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT nullif(1e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT nullif(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT nullif(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT nullif(NULL, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT nullif(NULL, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT try('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT try(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year(INTERVAL '1' YEAR) FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT quarter(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT month(INTERVAL '1' YEAR) FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT week(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day(INTERVAL '1' DAY) FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_week(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT day_of_year(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT year_of_week(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(TIME '01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT hour(INTERVAL '1' DAY) FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(TIME '01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT minute(INTERVAL '1' DAY) FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(TIME '01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT second(INTERVAL '1' DAY) FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(TIME '01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT millisecond(INTERVAL '1' DAY) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_trunc('month', TIME '01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', BIGINT '1', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', SMALLINT '1', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', BIGINT '1', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', BIGINT '1', TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', SMALLINT '1', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', SMALLINT '1', TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', BIGINT '1', TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', BIGINT '1', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', SMALLINT '1', TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', SMALLINT '1', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', 1, TIME '01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', BIGINT '1', TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', BIGINT '1', TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', SMALLINT '1', TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', SMALLINT '1', TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_add('month', TINYINT '1', TIME '01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', DATE '2020-01-31', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03', TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4', TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4', TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4', TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4', TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.456', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.456', TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4567', TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.456789012', TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.456789012', TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03 UTC', TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03 UTC', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03 UTC', TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03 UTC', TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03 UTC', TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4 UTC', TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.456 UTC', TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.456 UTC', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4567 UTC', TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.4567 UTC', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.456789012 UTC', TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIMESTAMP '2020-01-31 01:02:03.456789012 UTC', TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIME '01:02:03', TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIME '01:02:03', TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIME '01:02:03', TIME '01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIME '01:02:03.4567', TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIME '01:02:03.4567', TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIME '01:02:03.4567', TIME '01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIME '01:02:03.456789012', TIME '01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_diff('month', TIME '01:02:03.456789012', TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4567', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4567', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4567', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456789012', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456789012', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456789012', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03 UTC', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03 UTC', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4 UTC', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4 UTC', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456 UTC', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456 UTC', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4567 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4567 UTC', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.4567 UTC', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_format(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_parse('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_parse('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_parse('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_parse(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_parse(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_parse(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_parse(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_parse(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT date_parse(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_unixtime(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_unixtime(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_unixtime(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_unixtime(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_unixtime(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_unixtime(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_unixtime(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_unixtime(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_unixtime(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_unixtime(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_unixtime(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_unixtime(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_unixtime(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_unixtime(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_iso8601_date('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_iso8601_date(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_iso8601_date(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_iso8601_timestamp('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_iso8601_timestamp(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_iso8601_timestamp(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_iso8601(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(TIMESTAMP '2020-01-31 01:02:03.4') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(TIMESTAMP '2020-01-31 01:02:03.456') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(TIMESTAMP '2020-01-31 01:02:03.456789012') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(TIMESTAMP '2020-01-31 01:02:03 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(TIMESTAMP '2020-01-31 01:02:03.456 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(TIMESTAMP '2020-01-31 01:02:03.4567 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT last_day_of_month(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03 UTC', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03 UTC', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.4 UTC', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.4 UTC', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.456 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.456 UTC', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.456 UTC', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.4567 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.4567 UTC', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.4567 UTC', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT at_timezone(TIMESTAMP '2020-01-31 01:02:03.456789012 UTC', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.4', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.4', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.4', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.456', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.456', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.456', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.4567', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.4567', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.4567', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.456789012', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.456789012', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT with_timezone(TIMESTAMP '2020-01-31 01:02:03.456789012', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract_scalar('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract_scalar('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract_scalar('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract_scalar(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract_scalar(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract_scalar(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract_scalar(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract_scalar(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_extract_scalar(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_array_length('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_array_length(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_array_length(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_size('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_size('abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_size('abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_size(CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_size(CAST('abc' AS varchar(7)), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_size(CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_size(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_size(CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT json_size(CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY['a', 'bcd'], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY['a', 'bcd'], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY['a', 'bcd'], SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY['a', 'bcd'], TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[1, 2], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[1, 2], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[1, 2], SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[1, 2], TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[1.5, 2], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[1.5, 2], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[1.5, 2], SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[1.5, 2], TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[NULL], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[NULL], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[NULL], SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[NULL], TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT element_at(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT cardinality(ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cardinality(ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cardinality(ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cardinality(ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT cardinality(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY['a', 'bcd'], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY['a', 'bcd'], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY['a', 'bcd'], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[1, 2], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[1, 2], 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[1, 2], 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[1, 2], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[1, 2], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[1.5, 2], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[1.5, 2], 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[1.5, 2], 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[1.5, 2], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[1.5, 2], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[NULL], true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT contains(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY['a', 'bcd'], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY['a', 'bcd'], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY['a', 'bcd'], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[1, 2], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[1, 2], 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[1, 2], 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[1, 2], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[1, 2], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[1.5, 2], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[1.5, 2], 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[1.5, 2], 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[1.5, 2], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[1.5, 2], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[NULL], true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_position(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_distinct(ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_distinct(ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_distinct(ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_distinct(ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_distinct(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_sort(ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_sort(ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_sort(ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_sort(ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_sort(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_max(ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_max(ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_max(ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_max(ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_max(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_min(ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_min(ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_min(ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_min(ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_min(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY['a', 'bcd'], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY['a', 'bcd'], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY['a', 'bcd'], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[1, 2], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[1, 2], 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[1, 2], 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[1, 2], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[1, 2], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[1.5, 2], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[1.5, 2], 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[1.5, 2], 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[1.5, 2], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[1.5, 2], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], 1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], 1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[NULL], true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_remove(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY['a', 'bcd'], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY['a', 'bcd'], CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY['a', 'bcd'], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1, 2], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1, 2], CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1, 2], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1.5, 2], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1.5, 2], CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1.5, 2], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[NULL], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[NULL], CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[NULL], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY['a', 'bcd'], 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY['a', 'bcd'], 'abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY['a', 'bcd'], CAST('abc' AS varchar(7)), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY['a', 'bcd'], CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY['a', 'bcd'], CAST('abc' AS varchar), CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY['a', 'bcd'], CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1, 2], 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1, 2], 'abc', CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1, 2], 'abc', CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1, 2], CAST('abc' AS varchar(7)), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1, 2], CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1, 2], CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1.5, 2], 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[1.5, 2], CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[NULL], 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[NULL], CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], 'abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_join(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], CAST('abc' AS varchar), CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY['a', 'bcd'], ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY['a', 'bcd'], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[1, 2], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[1, 2], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[1, 2], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[1.5, 2], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[1.5, 2], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[1.5, 2], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[NULL], ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[NULL], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[NULL], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[NULL], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[NULL], ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_union(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY['a', 'bcd'], ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY['a', 'bcd'], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[1, 2], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[1, 2], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[1, 2], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[1.5, 2], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[1.5, 2], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[1.5, 2], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[NULL], ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[NULL], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[NULL], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[NULL], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[NULL], ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_intersect(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY['a', 'bcd'], ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY['a', 'bcd'], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[1, 2], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[1, 2], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[1, 2], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[1.5, 2], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[1.5, 2], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[1.5, 2], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[NULL], ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[NULL], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[NULL], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[NULL], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[NULL], ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_except(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY['a', 'bcd'], ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY['a', 'bcd'], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[1, 2], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[1, 2], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[1, 2], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[1.5, 2], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[1.5, 2], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[1.5, 2], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[NULL], ARRAY['a', 'bcd']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[NULL], ARRAY[1, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[NULL], ARRAY[1.5, 2]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[NULL], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[NULL], ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], ARRAY[NULL]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT arrays_overlap(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], ARRAY[TIMESTAMP '2020-01-31 01:02:03.4']) FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY['a', 'bcd'], 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY['a', 'bcd'], 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY['a', 'bcd'], BIGINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY['a', 'bcd'], SMALLINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY['a', 'bcd'], TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY['a', 'bcd'], TINYINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY['a', 'bcd'], TINYINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY['a', 'bcd'], TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[1, 2], 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[1, 2], 1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[1, 2], 1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[1, 2], 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[1, 2], BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[1, 2], SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[1, 2], TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[1, 2], TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[1.5, 2], 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[1.5, 2], TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[NULL], 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[NULL], TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT slice(ARRAY[TIMESTAMP '2020-01-31 01:02:03.4'], TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(BIGINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(BIGINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(BIGINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(SMALLINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(SMALLINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(SMALLINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, 1, BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, 1, SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, SMALLINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(1, TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(BIGINT '1', 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(BIGINT '1', TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(SMALLINT '1', 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(SMALLINT '1', TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', 1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', 1, TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', BIGINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', SMALLINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', TINYINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', TINYINT '1', BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', TINYINT '1', SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(TINYINT '1', TINYINT '1', TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(DATE '2020-01-31', DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(DATE '2020-01-31', DATE '2020-01-31', INTERVAL '1' DAY) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sequence(DATE '2020-01-31', DATE '2020-01-31', INTERVAL '1' YEAR) FROM (VALUES 1) t(x) WHERE x < 0
SELECT flatten(ARRAY[ARRAY['a'], ARRAY['bcd']]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT flatten(ARRAY[ARRAY[1], ARRAY[2]]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_utf8('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_utf8(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_utf8(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_utf8(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_hex(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_hex('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_hex(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_hex(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT to_base64(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_base64('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_base64(CAST('abc' AS varchar(7))) FROM (VALUES 1) t(x) WHERE x < 0
SELECT from_base64(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sha256(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT count() FROM (VALUES 1) t(x) WHERE x < 0
SELECT count('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT count(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT count_if(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(DECIMAL '12') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(DECIMAL '12345678901234567890.123') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(INTERVAL '1' DAY) FROM (VALUES 1) t(x) WHERE x < 0
SELECT sum(INTERVAL '1' YEAR) FROM (VALUES 1) t(x) WHERE x < 0
SELECT avg(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT avg(DECIMAL '12') FROM (VALUES 1) t(x) WHERE x < 0
SELECT avg(DECIMAL '12345678901234567890.123') FROM (VALUES 1) t(x) WHERE x < 0
SELECT avg(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT avg(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT avg(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT avg(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT avg(INTERVAL '1' DAY) FROM (VALUES 1) t(x) WHERE x < 0
SELECT avg(INTERVAL '1' YEAR) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by('abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(1, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(1.50, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(1.50, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(1e0, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(1e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(ARRAY[1], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(ARRAY[1], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(BIGINT '1', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(DATE '2020-01-31', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(DATE '2020-01-31', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(NULL, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(NULL, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(TIME '01:02:03.4567', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(TIME '01:02:03.4567', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(TIMESTAMP '2020-01-31 01:02:03', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(TIMESTAMP '2020-01-31 01:02:03', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(TIMESTAMP '2020-01-31 01:02:03.4567', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(TIMESTAMP '2020-01-31 01:02:03.4567', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(X'61', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(X'61', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(true, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT min_by(true, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by('abc', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by('abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(1, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(1.50, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(1.50, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(1e0, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(1e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(ARRAY[1], 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(ARRAY[1], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(BIGINT '1', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(CAST('abc' AS varchar), 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(DATE '2020-01-31', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(DATE '2020-01-31', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(NULL, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(NULL, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(TIME '01:02:03.4567', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(TIME '01:02:03.4567', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(TIMESTAMP '2020-01-31 01:02:03', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(TIMESTAMP '2020-01-31 01:02:03', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(TIMESTAMP '2020-01-31 01:02:03.4567', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(TIMESTAMP '2020-01-31 01:02:03.4567', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(X'61', 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(X'61', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(true, 'abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT max_by(true, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT any_value(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT array_agg(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bool_and(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bool_or(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct('abc') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1.50) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(ARRAY[1]) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(CAST('abc' AS varchar)) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(DATE '2020-01-31') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(NULL) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIME '01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03.4 UTC') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03.4567') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(X'61') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(true) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct('abc', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct('abc', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct('abc', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct('abc', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1.50, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1.50, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1.50, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1.50, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1e0, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1e0, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(1e0, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(ARRAY[1], 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(ARRAY[1], 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(ARRAY[1], 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(ARRAY[1], REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(BIGINT '1', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(BIGINT '1', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(BIGINT '1', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(BIGINT '1', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(CAST('abc' AS varchar), 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(CAST('abc' AS varchar), 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(CAST('abc' AS varchar), 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(CAST('abc' AS varchar), REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(DATE '2020-01-31', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(DATE '2020-01-31', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(DATE '2020-01-31', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(DATE '2020-01-31', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(NULL, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(NULL, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(NULL, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(NULL, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIME '01:02:03.4567', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIME '01:02:03.4567', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIME '01:02:03.4567', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIME '01:02:03.4567', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03.4 UTC', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03.4567', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03.4567', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03.4567', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(TIMESTAMP '2020-01-31 01:02:03.4567', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(X'61', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(X'61', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(X'61', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(X'61', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(true, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(true, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(true, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_distinct(true, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_percentile(1, 0.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_percentile(BIGINT '1', 0.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_percentile(SMALLINT '1', 0.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_percentile(TINYINT '1', 0.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_percentile(REAL '1.5', 0.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_percentile(1.5, 0.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT approx_percentile(1.5e0, 0.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT stddev(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT stddev(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT stddev(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT stddev(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT stddev_pop(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT stddev_pop(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT stddev_pop(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT stddev_pop(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT variance(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT variance(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT variance(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT variance(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT var_pop(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT var_pop(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT var_pop(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT var_pop(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(REAL '1.5', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1.5, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1.5, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1.5, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1.5e0, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1.5e0, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(1.5e0, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(REAL '1.5', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(REAL '1.5', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT corr(REAL '1.5', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(REAL '1.5', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1.5, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1.5, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1.5, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1.5e0, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1.5e0, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(1.5e0, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(REAL '1.5', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(REAL '1.5', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_samp(REAL '1.5', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(REAL '1.5', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1.5, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1.5, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1.5, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1.5e0, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1.5e0, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(1.5e0, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(REAL '1.5', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(REAL '1.5', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT covar_pop(REAL '1.5', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(REAL '1.5', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1.5, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1.5, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1.5, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1.5e0, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1.5e0, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(1.5e0, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(REAL '1.5', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(REAL '1.5', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_slope(REAL '1.5', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(REAL '1.5', REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1.5, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1.5, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1.5, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1.5, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1.5e0, 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1.5e0, 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1.5e0, 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(1.5e0, REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(REAL '1.5', 1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(REAL '1.5', 1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT regr_intercept(REAL '1.5', 1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT geometric_mean(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT geometric_mean(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT geometric_mean(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT geometric_mean(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT skewness(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT skewness(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT skewness(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT skewness(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT kurtosis(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT kurtosis(1.5) FROM (VALUES 1) t(x) WHERE x < 0
SELECT kurtosis(1.5e0) FROM (VALUES 1) t(x) WHERE x < 0
SELECT kurtosis(REAL '1.5') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and_agg(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and_agg(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and_agg(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_and_agg(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or_agg(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or_agg(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or_agg(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_or_agg(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor_agg(1) FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor_agg(BIGINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor_agg(SMALLINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT bitwise_xor_agg(TINYINT '1') FROM (VALUES 1) t(x) WHERE x < 0
SELECT row_number() OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT rank() OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT dense_rank() OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT percent_rank() OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT cume_dist() OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT ntile(1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT ntile(BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT ntile(SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT ntile(TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1, 1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1, 1, 1.50) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1, 1, 1e0) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1, 1, BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1, 1, NULL) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1, BIGINT '1', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1, SMALLINT '1', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1, TINYINT '1', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1, TINYINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1.50, 1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1.50, TINYINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1e0, 1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(1e0, TINYINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(BIGINT '1', 1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(BIGINT '1', 1, BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(BIGINT '1', BIGINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(BIGINT '1', SMALLINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(BIGINT '1', TINYINT '1', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(BIGINT '1', TINYINT '1', 1.50) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(BIGINT '1', TINYINT '1', 1e0) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(BIGINT '1', TINYINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(BIGINT '1', TINYINT '1', NULL) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(NULL, 1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lag(NULL, TINYINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1, 1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1, 1, 1.50) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1, 1, 1e0) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1, 1, BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1, 1, NULL) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1, BIGINT '1', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1, SMALLINT '1', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1, TINYINT '1', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1, TINYINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1.50, 1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1.50, TINYINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1e0, 1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(1e0, TINYINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(BIGINT '1', 1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(BIGINT '1', 1, BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(BIGINT '1', BIGINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(BIGINT '1', SMALLINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(BIGINT '1', TINYINT '1', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(BIGINT '1', TINYINT '1', 1.50) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(BIGINT '1', TINYINT '1', 1e0) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(BIGINT '1', TINYINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(BIGINT '1', TINYINT '1', NULL) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(NULL, 1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT lead(NULL, TINYINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value('abc') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(1.50) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(1e0) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(ARRAY[1]) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(CAST('abc' AS varchar)) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(DATE '2020-01-31') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(NULL) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(TIME '01:02:03.4567') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(TIMESTAMP '2020-01-31 01:02:03') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(TIMESTAMP '2020-01-31 01:02:03.4 UTC') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(TIMESTAMP '2020-01-31 01:02:03.4567') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(X'61') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT first_value(true) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value('abc') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(1.50) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(1e0) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(ARRAY[1]) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(CAST('abc' AS varchar)) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(DATE '2020-01-31') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(NULL) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(TIME '01:02:03.4567') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(TIMESTAMP '2020-01-31 01:02:03') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(TIMESTAMP '2020-01-31 01:02:03.4 UTC') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(TIMESTAMP '2020-01-31 01:02:03.4567') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(X'61') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT last_value(true) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value('abc', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value('abc', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value('abc', SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value('abc', TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1, BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1, SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1, TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1.50, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1.50, BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1.50, SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1.50, TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1e0, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1e0, BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1e0, SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(1e0, TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(ARRAY[1], 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(ARRAY[1], BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(ARRAY[1], SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(ARRAY[1], TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(BIGINT '1', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(BIGINT '1', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(BIGINT '1', SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(BIGINT '1', TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(CAST('abc' AS varchar), 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(CAST('abc' AS varchar), BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(CAST('abc' AS varchar), SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(CAST('abc' AS varchar), TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(DATE '2020-01-31', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(DATE '2020-01-31', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(DATE '2020-01-31', SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(DATE '2020-01-31', TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(NULL, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(NULL, BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(NULL, SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(NULL, TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIME '01:02:03.4567', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIME '01:02:03.4567', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIME '01:02:03.4567', SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIME '01:02:03.4567', TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03', SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03', TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03.4 UTC', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03.4 UTC', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03.4 UTC', SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03.4 UTC', TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03.4567', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03.4567', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03.4567', SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(TIMESTAMP '2020-01-31 01:02:03.4567', TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(X'61', 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(X'61', BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(X'61', SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(X'61', TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(true, 1) OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(true, BIGINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(true, SMALLINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT nth_value(true, TINYINT '1') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT 'abc'
SELECT ''
SELECT 'äöü😀'
SELECT U&'\00e4b'
SELECT lower('abc')
SELECT upper('abc')
SELECT upper(CAST('abc' AS varchar))
SELECT trim('abc')
SELECT ltrim('abc')
SELECT rtrim('abc')
SELECT trim('abc','a')
SELECT ltrim('abc','a')
SELECT rtrim('abc','a')
SELECT trim(BOTH 'a' FROM 'abc')
SELECT substr('abc',1)
SELECT substr('abc',1,2)
SELECT substring('abc' FROM 2)
SELECT substring('abc' FROM 2 FOR 1)
SELECT replace('abc','b')
SELECT replace('abc','b','xyz')
SELECT replace('abc','','xyz')
SELECT replace(CAST('abc' AS varchar),'b','xyz')
SELECT reverse('abc')
SELECT 'ab'||'cde'
SELECT concat('ab','cde')
SELECT concat('ab','cde','f')
SELECT concat(CAST('a' AS varchar), 'b')
SELECT concat_ws(',','ab','cd')
SELECT concat_ws(',',ARRAY['ab','cd'])
SELECT lpad('ab',5,'x')
SELECT rpad('ab',5,'x')
SELECT split('a,b',',')
SELECT split('a,b',',',2)
SELECT split_part('a,b',',',1)
SELECT chr(65)
SELECT translate('abc','a','b')
SELECT repeat('ab',3)
SELECT normalize('abc')
SELECT normalize('abc',NFD)
SELECT regexp_extract('abc','b')
SELECT regexp_extract('abc','(b)',1)
SELECT regexp_extract_all('abc','b')
SELECT regexp_extract_all('abc','(b)',1)
SELECT regexp_replace('abc','b')
SELECT regexp_replace('abc','b','x')
SELECT regexp_split('abc','b')
SELECT coalesce('a','bcd')
SELECT coalesce('a',CAST('bcd' AS varchar))
SELECT coalesce(NULL,'bcd')
SELECT nullif('abc','b')
SELECT nullif(1,1.5)
SELECT nullif(1,2)
SELECT nullif(TINYINT '1',BIGINT '2')
SELECT nullif('abc',NULL)
SELECT nullif(NULL,'a')
SELECT nullif(NULL,NULL)
SELECT if(true,'a','bcd')
SELECT if(true,'a')
SELECT CASE WHEN true THEN 'a' ELSE 'bcd' END
SELECT CASE WHEN true THEN 'a' WHEN false THEN 'bcd' END
SELECT greatest('a','bcd')
SELECT least('a','bcd')
SELECT try('abc')
SELECT CAST('abc' AS varchar(2))
SELECT CAST('abc' AS varchar(5))
SELECT CAST('abc' AS varchar)
SELECT CAST(1 AS varchar)
SELECT CAST(1 AS varchar(5))
SELECT CAST(NULL AS varchar(5))
SELECT CAST(true AS varchar(5))
SELECT ARRAY['a','bcd']
SELECT ARRAY['a',CAST('b' AS varchar)]
SELECT ROW('a','bcd')
SELECT CAST(ROW('a') AS row(x varchar(3)))
SELECT CAST(ARRAY['abcd'] AS array(varchar(3)))
SELECT ARRAY['a','bcd'][1]
SELECT element_at(ARRAY['a','bcd'],1)
SELECT array_distinct(ARRAY['a','bcd'])
SELECT array_sort(ARRAY['a','bcd'])
SELECT array_max(ARRAY['a','bcd'])
SELECT array_min(ARRAY['a','bcd'])
SELECT array_remove(ARRAY['a','bcd'],'b')
SELECT array_remove(ARRAY['a'],'bcd')
SELECT array_join(ARRAY['a','bcd'],',')
SELECT array_join(ARRAY[1],',')
SELECT array_union(ARRAY['a'],ARRAY['bcd'])
SELECT array_intersect(ARRAY['a'],ARRAY['bcd'])
SELECT array_except(ARRAY['a'],ARRAY['bcd'])
SELECT concat(ARRAY['a'],ARRAY['bcd'])
SELECT ARRAY['a'] || 'bcd'
SELECT ARRAY['a'] || ARRAY['bcd']
SELECT slice(ARRAY['a','bcd'],1,1)
SELECT flatten(ARRAY[ARRAY['a'],ARRAY['bcd']])
SELECT reverse(ARRAY['a'])
SELECT from_utf8(X'61')
SELECT to_hex(X'61')
SELECT to_base64(X'61')
SELECT date_format(TIMESTAMP '2020-01-01 00:00:00','%Y')
SELECT to_iso8601(DATE '2020-01-01')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00.1')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00.123456789')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00 UTC')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00.123 UTC')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00.123456789 UTC')
SELECT json_extract_scalar('{}','$.a')
SELECT current_user
SELECT current_catalog
SELECT current_schema
SELECT current_timezone()
SELECT version()
SELECT typeof(1)
SELECT min('abc')
SELECT max('abc')
SELECT min_by('abc',1)
SELECT max_by(1,'abc')
SELECT any_value('abc')
SELECT arbitrary('abc')
SELECT array_agg('abc')
SELECT listagg('abc',',') WITHIN GROUP (ORDER BY 1)
SELECT histogram('abc')
SELECT map_agg('abc','de')
SELECT approx_distinct('abc')
SELECT approx_most_frequent(3,'abc',10)
SELECT checksum('abc')
SELECT first_value('abc') OVER ()
SELECT nth_value('abc',1) OVER ()
SELECT format('%s',1)
SELECT human_readable_seconds(1)
SELECT format_number(1)
SELECT soundex('abc')
SELECT word_stem('abc')
SELECT url_extract_host('http://a')
SELECT url_encode('a')
SELECT url_decode('a')
SELECT format_datetime(TIMESTAMP '2020-01-01 00:00:00','yyyy')
SELECT bitwise_left_shift(1,2)
SELECT bitwise_left_shift(TINYINT '1',2)
SELECT bitwise_left_shift(SMALLINT '1',TINYINT '2')
SELECT bitwise_left_shift(BIGINT '1',2)
SELECT bitwise_right_shift(1,2)
SELECT bitwise_right_shift(TINYINT '-1',2)
SELECT bitwise_right_shift(SMALLINT '-1',2)
SELECT bitwise_right_shift(-1,2)
SELECT bitwise_right_shift(BIGINT '-1',2)
SELECT bitwise_right_shift_arithmetic(-1,2)
SELECT bitwise_left_shift(TINYINT '1',7)
SELECT bitwise_left_shift(TINYINT '1',8)
SELECT bitwise_left_shift(TINYINT '127',1)
SELECT bitwise_left_shift(SMALLINT '1',15)
SELECT bitwise_left_shift(SMALLINT '1',16)
SELECT bitwise_left_shift(1,31)
SELECT bitwise_left_shift(1,32)
SELECT bitwise_left_shift(BIGINT '1',63)
SELECT bitwise_left_shift(BIGINT '1',64)
SELECT bitwise_left_shift(1,-1)
SELECT bitwise_left_shift(BIGINT '1',-1)
SELECT bitwise_left_shift(TINYINT '1',-1)
SELECT bitwise_right_shift(-1,-1)
SELECT bitwise_right_shift(BIGINT '-1',-1)
SELECT bitwise_right_shift(TINYINT '-1',-1)
SELECT bitwise_right_shift(TINYINT '-1',8)
SELECT bitwise_right_shift(TINYINT '-1',7)
SELECT bitwise_right_shift(-1,31)
SELECT bitwise_right_shift(-1,32)
SELECT bitwise_and(1,2)
SELECT bitwise_and(TINYINT '1',TINYINT '2')
SELECT bitwise_not(TINYINT '1')
SELECT bit_count(7,64)
SELECT random(TINYINT '3')
SELECT random(SMALLINT '3')
SELECT random(3)
SELECT random(3,5)
SELECT random(BIGINT '3')
SELECT mod(TINYINT '3',TINYINT '2')
SELECT mod(TINYINT '3',2)
SELECT width_bucket(1,2,3,4)
SELECT length('abc')
SELECT strpos('abc','b')
SELECT codepoint('a')
SELECT cardinality(ARRAY[1])
SELECT levenshtein_distance('a','b')
SELECT regexp_count('a','b')
SELECT regexp_position('a','b')
SELECT sign(TINYINT '3')
SELECT sign(1.5)
SELECT sign(1e0)
SELECT abs(SMALLINT '-1')
SELECT round(TINYINT '3')
SELECT truncate(1.55)
SELECT truncate(1.55,1)
SELECT truncate(REAL '1.5')
SELECT ceil(REAL '1.5')
SELECT round(REAL '1.5',1)
SELECT sum(1)
SELECT sum(TINYINT '1')
SELECT sum(REAL '1.5')
SELECT sum(1.5)
SELECT avg(1)
SELECT avg(REAL '1')
SELECT avg(1.5)
SELECT count(*)
SELECT approx_percentile(1,0.5)
SELECT approx_percentile(REAL '1',0.5)
SELECT approx_percentile(1e0,0.5)
SELECT approx_percentile(1.5,0.5)
SELECT geometric_mean(REAL '1')
SELECT corr(1,2)
SELECT corr(REAL '1',REAL '2')
SELECT covar_pop(REAL '1',REAL '2')
SELECT stddev(REAL '1')
SELECT bitwise_and_agg(TINYINT '1')
SELECT sqrt(REAL '4')
SELECT power(2,3)
SELECT sequence(1,3)
SELECT sequence(INTEGER '1',INTEGER '3')
SELECT sequence(TINYINT '1',TINYINT '3')
SELECT sequence(DATE '2020-01-01',DATE '2020-01-02')
SELECT ARRAY[1,2.5]
SELECT ARRAY[1,BIGINT '2']
SELECT ARRAY[]
SELECT 1+BIGINT '1'
SELECT TINYINT '1'+SMALLINT '1'
SELECT TINYINT '1'+TINYINT '1'
SELECT 1.5+1
SELECT REAL '1'+1.5
SELECT 1e0+1.5
SELECT 1/2
SELECT 1.5/2
SELECT 5%2
SELECT -TINYINT '1'
SELECT 1.5*1.5
SELECT INTERVAL '1' DAY*2
SELECT INTERVAL '1' YEAR/2
SELECT NULL
SELECT ARRAY[NULL]
SELECT ROW(NULL,1)
SELECT element_at(ARRAY[1],1)
SELECT 1 IN (1,2)
SELECT 1=1
SELECT EXISTS (SELECT 1)
SELECT (SELECT 'abc')
SELECT date_diff('day',DATE '2020-01-01',DATE '2020-01-02')
SELECT year(DATE '2020-01-01')
SELECT extract(year FROM DATE '2020-01-01')
SELECT last_day_of_month(DATE '2020-01-01')
SELECT date('2020-01-01')
SELECT row_number() OVER ()
SELECT rank() OVER (ORDER BY 1)
SELECT percent_rank() OVER (ORDER BY 1)
SELECT ntile(2) OVER (ORDER BY 1)
SELECT json_extract('{}','$.a')
SELECT json_array_length('[]')
SELECT json_size('{}','$.a')
SELECT pi()
SELECT nan()
SELECT 1.
SELECT .5
SELECT 00.50
SELECT 1e5
SELECT 12345678901
SELECT DECIMAL '1.50'
SELECT DECIMAL '12'
SELECT X'61'
SELECT 'abc' LIKE 'a%'
SELECT substr(CAST('abc' AS varchar),1)
SELECT hamming_distance('a','b')
SELECT starts_with('a','b')
SELECT split('a,b',',')[1]
SELECT listagg('abc') WITHIN GROUP (ORDER BY 1)
SELECT CAST('a' AS varchar(0))
SELECT CAST('a' AS varchar(2147483647))
SELECT CAST('a' AS varchar(2147483646))
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00.499999999' AS timestamp(0)), CAST(TIMESTAMP '2020-01-01 00:00:00.5' AS timestamp(0)), CAST(TIMESTAMP '1960-01-01 00:00:00.5' AS timestamp(0)), CAST(TIMESTAMP '1960-01-01 00:00:00.25' AS timestamp(1)), CAST(TIMESTAMP '1960-01-01 00:00:00.499999999' AS timestamp(3))
SELECT CAST(TIME '23:59:59.9' AS time(0)), CAST(TIME '23:59:59.999999999' AS time(3)), CAST('23:59:59.9999' AS time(0)), CAST(TIMESTAMP '2020-01-01 23:59:59.9' AS time(0))
SELECT typeof(TIMESTAMP '2020-01-01'), typeof(TIMESTAMP '2020-01-01 00:00'), typeof(TIMESTAMP '2020-01-01 00:00:00.12'), typeof(TIMESTAMP '2020-01-01 00:00:00.1234567 Europe/Berlin'), typeof(TIME '12:00'), typeof(TIME '12:00:00.1234')
SELECT typeof(CAST('2020-01-01' AS timestamp)), typeof(CAST('12:00' AS time)), typeof(CAST(DATE '2020-01-01' AS timestamp(0)))
SELECT CAST('2020-01-01 00:00:00.55' AS timestamp(1)), CAST('2020-01-01 00:00:00.12345' AS timestamp(0)), CAST('2020-01-01 00:00:00.4999999' AS timestamp(0)), CAST('1960-01-01 00:00:00.55' AS timestamp(1))
SELECT typeof(date_trunc('hour', TIMESTAMP '2020-01-01 00:00:00.12')), typeof(date_add('hour', 1, TIMESTAMP '2020-01-01 00:00:00')), typeof(date_add('millisecond', 1, TIMESTAMP '2020-01-01 00:00:00')), date_add('millisecond', 600, TIMESTAMP '2020-01-01 00:00:00'), date_add('millisecond', 1, TIMESTAMP '2020-01-01 00:00:00.1')
SELECT TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1' HOUR, typeof(TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1.5' SECOND), TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1.5' SECOND, typeof(TIMESTAMP '2020-01-01 00:00:00.1234' + INTERVAL '1.5' SECOND), typeof(TIMESTAMP '2020-01-01 00:00:00.1' + INTERVAL '1' MONTH)
SELECT TIME '12:00:00' + INTERVAL '1.5' SECOND, typeof(TIME '12:00:00' + INTERVAL '1.5' SECOND), typeof(TIME '12:00:00.1234' - INTERVAL '1.5' SECOND)
SELECT date_add('millisecond', 1, TIME '12:00:00'), typeof(date_add('millisecond', 1, TIME '12:00:00')), date_add('millisecond', 1, TIME '12:00:00.1')
SELECT typeof(now()), typeof(current_timestamp(0)), typeof(current_timestamp(6)), typeof(localtimestamp), typeof(localtimestamp(0)), typeof(localtime), typeof(localtime(2)), typeof(current_time), typeof(current_time(9)), typeof(localtimestamp(9))
SELECT typeof(coalesce(TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1234')), TIMESTAMP '2020-01-01 00:00:00.10' = TIMESTAMP '2020-01-01 00:00:00.1', typeof(coalesce(DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00')), typeof(coalesce(DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00 UTC'))
SELECT typeof(coalesce(TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1234 UTC')), typeof(coalesce(TIME '12:00', TIME '12:00:00.1'))
SELECT typeof(at_timezone(TIMESTAMP '2020-01-01 00:00:00 UTC', 'Europe/Berlin')), typeof(with_timezone(TIMESTAMP '2020-01-01 00:00:00.12', 'Europe/Berlin')), typeof(TIMESTAMP '2020-01-01 00:00:00.12' AT TIME ZONE 'Europe/Berlin')
SELECT typeof(TIMESTAMP '2020-01-01 00:00:00.1234' - TIMESTAMP '2020-01-01 00:00:00.1'), TIMESTAMP '2020-01-01 00:00:00.1239' - TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1' - TIMESTAMP '2020-01-01 00:00:00.1239'
SELECT TIME '12:00:00.1239' - TIME '12:00:00.1', TIME '12:00:00.1' - TIME '12:00:00.1239'
SELECT max(x), min(x), typeof(max(x)), typeof(array_agg(x)) FROM (VALUES TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.12') t(x)
SELECT typeof(ARRAY[TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.12']), typeof(ROW(TIMESTAMP '2020-01-01 00:00:00.1', 'a'))
SELECT CAST(ARRAY[TIMESTAMP '2020-01-01 00:00:00.16'] AS array(timestamp(1)))
SELECT TIMESTAMP '2020-01-01 00:00:00.1234567890'
SELECT CAST('2020-01-01' AS timestamp(12)), typeof(CAST('2020-01-01' AS timestamp(12)))
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00.123456' AS varchar), CAST(TIMESTAMP '2020-01-01 00:00:00' AS varchar), CAST(TIME '12:00' AS varchar), CAST(TIMESTAMP '2020-01-01 00:00:00 UTC' AS varchar)
SELECT CAST('2020-01-01 00:00:00.55 UTC' AS timestamp(1) with time zone), CAST(TIMESTAMP '2020-01-01 00:00:00.55 UTC' AS timestamp(0)), CAST(TIMESTAMP '2020-01-01 00:00:00.55 UTC' AS timestamp(1) with time zone), CAST(TIMESTAMP '2020-01-01 00:00:00.55 UTC' AS time(0))
SELECT CAST(TIMESTAMP '2020-01-01 23:59:59.9' AS date), CAST(TIMESTAMP '2020-01-01 23:59:59.9 UTC' AS date), CAST(TIME '12:00' AS timestamp)
SELECT typeof(date_diff('second', TIMESTAMP '2020-01-01 00:00:00.1234', TIMESTAMP '2020-01-01 00:00:00')), typeof(to_unixtime(TIMESTAMP '2020-01-01 00:00:00.1234')), to_unixtime(TIMESTAMP '2020-01-01 00:00:00.123456789')
SELECT typeof(last_day_of_month(TIMESTAMP '2020-01-01 00:00:00')), to_iso8601(TIMESTAMP '2020-01-01 00:00:00'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00.12'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00.1234'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00 UTC'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00.1234567 +01:00')
SELECT x FROM (VALUES 1) t(y) CROSS JOIN (SELECT TIMESTAMP '2020-01-01 00:00:00' x UNION ALL SELECT TIMESTAMP '2020-01-01 00:00:00.1234')
SELECT TIMESTAMP '2020-01-01 00:00:00.1' IN (TIMESTAMP '2020-01-01 00:00:00.10', TIMESTAMP '2020-01-01 00:00:00.1234')
SELECT typeof(date_trunc('second', TIME '12:00:00.12')), date_trunc('second', TIME '12:00:00.12')
SELECT typeof(DATE '2020-01-01' + INTERVAL '1' DAY), typeof(approx_percentile(1,0.5)), millisecond(TIMESTAMP '2020-01-01 00:00:00.123999'), second(TIMESTAMP '2020-01-01 00:00:00.9')
SELECT typeof(avg(INTERVAL '1' DAY)), typeof(INTERVAL '1' DAY * 2), typeof(TIMESTAMP '2020-01-01' - INTERVAL '1' DAY)
SELECT TIMESTAMP '2020-01-01 00:00:00.1' - TIMESTAMP '2020-01-01 00:00:00.1005', TIMESTAMP '2020-01-01 00:00:00.1005' - TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1' - TIMESTAMP '2020-01-01 00:00:00.100500000', TIMESTAMP '2020-01-01 00:00:00.1' - TIMESTAMP '2020-01-01 00:00:00.100499999'
SELECT TIMESTAMP '2020-01-01 00:00:00.100500000' - TIMESTAMP '2020-01-01 00:00:00.100000001', TIMESTAMP '2020-01-01 00:00:00.100500001' - TIMESTAMP '2020-01-01 00:00:00.100000001', TIMESTAMP '2020-01-01 00:00:00.100000001' - TIMESTAMP '2020-01-01 00:00:00.100500001'
SELECT TIME '12:00:00.1' - TIME '12:00:00.1005', TIME '12:00:00.1005' - TIME '12:00:00.1', TIME '12:00:00.1' - TIME '12:00:00.100500001'
SELECT TIMESTAMP '2020-01-01 00:00:00.1 UTC' - TIMESTAMP '2020-01-01 00:00:00.1005 UTC', TIMESTAMP '2020-01-01 00:00:00.1005 UTC' - TIMESTAMP '2020-01-01 00:00:00.1 UTC'
SELECT TIMESTAMP '2020-01-01 00:00:00 UTC' + INTERVAL '1' HOUR, TIMESTAMP '2020-01-01 00:00:00 UTC' + INTERVAL '1' MONTH, INTERVAL '1' HOUR + TIMESTAMP '2020-01-01 00:00:00', INTERVAL '1' MONTH + TIMESTAMP '2020-01-01 00:00:00', TIME '12:00' - INTERVAL '1' HOUR, INTERVAL '1' HOUR + TIME '12:00'
SELECT TIMESTAMP '2020-01-01 00:00:00.1234567' + INTERVAL '1' HOUR, TIMESTAMP '2020-01-01 00:00:00' - DATE '2019-01-01', DATE '2020-01-01' - DATE '2019-01-01'
SELECT TIMESTAMP '2020-01-01 00:00:00 UTC' - TIMESTAMP '2020-01-01 00:00:00', DATE '2020-01-01' - TIMESTAMP '2020-01-01 00:00:00.5'
SELECT date_add('millisecond', 500, TIMESTAMP '1960-01-01 00:00:00'), date_add('millisecond', -500, TIMESTAMP '1960-01-01 00:00:00'), date_add('millisecond', 499, TIMESTAMP '1960-01-01 00:00:00'), date_add('millisecond', 55, TIMESTAMP '2020-01-01 00:00:00.1 UTC'), date_add('millisecond', -550, TIME '00:00:00.1')
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00.123456789 UTC' AS timestamp(3)), CAST(TIMESTAMP '2020-01-01 00:00:00.5' AS timestamp(0) with time zone), CAST(TIMESTAMP '2020-01-01 00:00:00.999999999' AS timestamp(6) with time zone), CAST(TIMESTAMP '2020-01-01 00:00:00.4999999 UTC' AS timestamp(0)), CAST(TIMESTAMP '2020-01-01 00:00:00.4999999 UTC' AS timestamp(0) with time zone)
SELECT CAST('00:00:00.4999999999' AS time(9)), CAST('00:00:00.4999999999' AS time(0)), CAST('2020-01-01 00:00:00.4999999999' AS timestamp(9)), CAST('2020-01-01 00:00:00.4999999999' AS timestamp(0)), CAST('2020-01-01 00:00:00.4999999999 UTC' AS timestamp(9) with time zone), CAST('2020-01-01 00:00:00.4999999999 UTC' AS timestamp(0) with time zone)
SELECT CAST(TIME '00:00:00.4999999' AS time(0)), CAST(TIMESTAMP '2020-01-01 00:00:00.4999999' AS time(0)),CAST(TIMESTAMP '2020-01-01 00:00:00.4999999' AS time(3)), CAST(TIME '12:00:00.6' AS timestamp(0)) - CAST(current_date AS timestamp(0))
SELECT TRY_CAST(12 AS varchar(1)), CAST(BIGINT '12' AS varchar(2)), CAST(TINYINT '12' AS varchar(2))
SELECT TIME '12:00:00.1234567891'
SELECT corr(1e0,2), covar_samp(1,2), regr_slope(1,2), regr_intercept(1,2), covar_pop(1,BIGINT '2'), corr(1.5,2), corr(1, REAL '1')
SELECT covar_pop(x,y), covar_samp(x,y) FROM (VALUES (1.1,2.2),(1.3,4.4)) t(x,y)
SELECT geometric_mean(1), geometric_mean(1.5), geometric_mean(1e0), stddev(1), variance(REAL '1'), skewness(REAL '1'), kurtosis(1)
SELECT approx_percentile(x, 0.5) FROM (VALUES 1.1, 2.3) t(x)
SELECT 'abc' = CAST('abc' AS varchar(5)), U&'abc', count(*) FROM (VALUES 'a','bcd') t(x) WHERE x IN ('a','bcdef')
SELECT x FROM (VALUES 'a','bcd') t(x) UNION SELECT 'defgh'
SELECT * FROM UNNEST(ARRAY['a','bcd']) t(x)
SELECT * FROM UNNEST(ARRAY[ROW('a',1)]) t(x,y)
SELECT x FROM (SELECT 'ab' AS x INTERSECT SELECT 'abc') t
SELECT coalesce(x, y) FROM (SELECT 'ab' x) t FULL JOIN (SELECT 'abc' y) u ON x = y
SELECT x FROM (SELECT 'ab' x) t FULL JOIN (SELECT 'abc' x) u USING (x)
SELECT x FROM (SELECT 'ab' x) t JOIN (SELECT 'abc' x) u USING (x)
SELECT x FROM (SELECT 'ab' x) t LEFT JOIN (SELECT 'abc' x) u USING (x)
WITH RECURSIVE t(n, s) AS (SELECT 1, 'abc' UNION ALL SELECT n+1, 'bc' FROM t WHERE n < 3) SELECT * FROM t
SELECT lag('abc',1,'defgh') OVER (ORDER BY 1), lag('abc') OVER (ORDER BY 1), lead(1,1,BIGINT '2') OVER (ORDER BY 1)
SELECT lag(1,1,BIGINT '2') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT (SELECT 'abc') || 'x', 'abc' IN ('a', 'bcdef'), (VALUES 'ab')
SELECT contains(ARRAY['a'], 'abc'), array_position(ARRAY['a'],'abc'), ARRAY['a'] = ARRAY['abc'], ROW('a') = ROW('abc')
SELECT if(true, NULL, 'abc'), coalesce('a', NULL), CASE 1 WHEN 1 THEN 'a' ELSE NULL END
VALUES ('a', 1), ('bcd', BIGINT '2'), (NULL, NULL)
SELECT * FROM (VALUES ('a', 1.5), ('bcd', 20)) t(x, y)
SELECT x, count(*) FROM (VALUES 'a', 'bcd') t(x) GROUP BY x
SELECT x FROM (VALUES 'a', 'bcd') t(x) GROUP BY ROLLUP (x)
SELECT DISTINCT x FROM (VALUES 'a', 'bcd') t(x)
SELECT 'a' UNION ALL SELECT 'bcd' UNION ALL SELECT CAST('x' AS varchar(9))
SELECT 'a' UNION ALL SELECT CAST('x' AS varchar)
SELECT 'abc' EXCEPT SELECT 'a'
SELECT 1 UNION ALL SELECT 1.5
SELECT 1 UNION ALL SELECT REAL '1.5'
SELECT NULL UNION ALL SELECT 'abc'
SELECT NULL UNION ALL SELECT NULL
SELECT TIMESTAMP '2020-01-01 00:00:00' UNION ALL SELECT DATE '2020-01-01'
SELECT TIME '01:02' UNION SELECT TIME '01:02:03.4567'
SELECT TIMESTAMP '2020-01-01 00:00:00.1' UNION SELECT TIMESTAMP '2020-01-01 00:00:00 UTC'
SELECT ARRAY['a'] UNION ALL SELECT ARRAY['bcd']
SELECT ROW('a', 1) UNION ALL SELECT ROW('bcd', BIGINT '1')
SELECT CAST(ROW('a', 1) AS row(x varchar(3), y integer)) UNION ALL SELECT ROW('bcdef', 1)
SELECT CAST(ROW('a', 1) AS row(x varchar(3), y integer)).x
SELECT r.x FROM (SELECT CAST(ROW('a', 1) AS row(x varchar(3), y integer)) AS r) t
WITH w AS (SELECT 'abc' AS x) SELECT x, upper(x) FROM w
WITH w(x) AS (SELECT 'abc') SELECT a.x, b.x FROM w a, w b
SELECT (SELECT max(x) FROM (VALUES 'a', 'bcd') t(x))
SELECT CASE x WHEN 1 THEN 'a' WHEN 2 THEN 'bcd' END FROM (VALUES 1) t(x)
SELECT CASE WHEN x = 1 THEN TIMESTAMP '2020-01-01 00:00:00' ELSE TIMESTAMP '2020-01-01 00:00:00.1234' END FROM (VALUES 1) t(x)
SELECT CASE WHEN x = 1 THEN DATE '2020-01-01' ELSE TIMESTAMP '2020-01-01 00:00:00.1234' END FROM (VALUES 1) t(x)
SELECT CASE WHEN x = 1 THEN 1 ELSE 1.5 END FROM (VALUES 1) t(x)
SELECT o_orderkey, o_orderstatus, o_clerk, o_comment FROM tpch.tiny.orders WHERE o_orderkey = 1
SELECT c_name, c_address, c_phone, c_mktsegment, c_comment FROM tpch.tiny.customer WHERE c_custkey = 1
SELECT l_returnflag, l_linestatus, l_shipinstruct, l_shipmode, l_comment FROM tpch.tiny.lineitem WHERE l_orderkey = 1
SELECT n_name, n_comment, r_name, r_comment FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey
SELECT p_name, p_mfgr, p_brand, p_type, p_container, p_comment FROM tpch.tiny.part WHERE p_partkey = 1
SELECT ps_comment FROM tpch.tiny.partsupp WHERE ps_partkey = 1
SELECT s_name, s_address, s_phone, s_comment FROM tpch.tiny.supplier WHERE s_suppkey = 1
SELECT n_name || '!', upper(n_name), substr(n_name, 1, 3), max(n_name) FROM tpch.tiny.nation GROUP BY n_name
SELECT coalesce(n_name, r_comment) FROM tpch.tiny.nation, tpch.tiny.region
SELECT x FROM UNNEST(ARRAY[TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1234']) t(x)
SELECT * FROM UNNEST(ARRAY['a', 'bcd'], ARRAY[1]) WITH ORDINALITY
SELECT min(x) OVER (), max(x) OVER (), lag(x) OVER (ORDER BY x), first_value(x) OVER () FROM (VALUES 'a', 'bcd') t(x)
SELECT array_agg(x), min_by(x, 1), approx_distinct(x) FROM (VALUES 'a', 'bcd') t(x)
SELECT 'a' AS b, 1 c, 'x' "D e", 2 + 2
SELECT t.* FROM (VALUES ('a', 1)) t
SELECT t.* FROM (VALUES ('a', 1)) t("X y", z)
SELECT current_date, current_timestamp, localtime, current_user
SELECT * FROM UNNEST(ARRAY[ROW('a', 1)], ARRAY[2]) WITH ORDINALITY
