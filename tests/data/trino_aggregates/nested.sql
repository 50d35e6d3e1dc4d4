-- Comparisons, orders and extremes of arrays and rows.
SELECT array_max(ARRAY[1e0, nan()]), array_max(ARRAY[nan(), 1e0]), array_min(ARRAY[1e0, nan()]), array_min(ARRAY[nan(), 1e0]), array_max(ARRAY[nan(), null]), array_min(ARRAY[nan(),nan()])
SELECT array_sort(ARRAY[nan(), 1e0, infinity(), -infinity(), 0e0, -0e0, null, -0e0, 0e0])
SELECT contains(ARRAY[nan()], nan()), array_position(ARRAY[nan()], nan()), array_remove(ARRAY[nan(),1e0], nan()), contains(ARRAY[0e0], -0e0), array_position(ARRAY[0e0], -0e0), array_remove(ARRAY[0e0], -0e0)
SELECT array_union(ARRAY[nan(), 0e0], ARRAY[nan(), -0e0]), array_intersect(ARRAY[nan(), 0e0], ARRAY[nan(), -0e0]), array_except(ARRAY[nan(), 0e0, 1e0], ARRAY[nan(), -0e0]), arrays_overlap(ARRAY[nan()], ARRAY[nan()]), arrays_overlap(ARRAY[0e0], ARRAY[-0e0])
SELECT ARRAY[nan()] = ARRAY[nan()], ARRAY[nan()] IS DISTINCT FROM ARRAY[nan()], ARRAY[0e0] = ARRAY[-0e0], ROW(nan()) = ROW(nan()), ROW(nan()) IS DISTINCT FROM ROW(nan())
SELECT x, count(*) FROM (VALUES ARRAY[nan()], ARRAY[nan()], ARRAY[0e0], ARRAY[-0e0]) t(x) GROUP BY x
SELECT CAST(ARRAY[1e0, nan()] AS array(varchar)), CAST(ARRAY[REAL '0.1'] AS array(decimal(10,2)))
SELECT array_join(ARRAY[1e0, 0e0, 1e7, nan()], ','), array_join(ARRAY[REAL '0.1', REAL '1e10'], ',')
SELECT array_max(ARRAY[x,y]), array_min(ARRAY[x,y]) FROM (VALUES (-0e0, 0e0),(0e0,-0e0)) t(x,y)
SELECT array_max(ARRAY[x,y,z]), array_min(ARRAY[x,y,z]) FROM (VALUES (nan(), 1e0, 2e0),(nan(),nan(),1e0),(nan(),nan(),nan()), (1e0,nan(),0e0),(null,nan(),1e0)) t(x,y,z)
SELECT greatest(x, y) FROM (VALUES (ARRAY[1,2], ARRAY[1,3])) t(x,y)
SELECT greatest(x, y) FROM (VALUES (ROW(1,2), ROW(1,3))) t(x,y)
SELECT x < y, x <= y, x > y, x >= y, x = y, x <> y, x IS DISTINCT FROM y FROM (VALUES (ARRAY[1,2], ARRAY[1,3]), (ARRAY[1], ARRAY[1,3]), (ARRAY[], ARRAY[1]), (ARRAY[2], ARRAY[1,3]), (ARRAY[1],ARRAY[1]), (null, ARRAY[1])) t(x,y)
SELECT ARRAY[1,null] < ARRAY[1,2]
SELECT ARRAY[1,null] < ARRAY[2,2]
SELECT ARRAY[2,null] < ARRAY[1,2]
SELECT ARRAY[1,2] < ARRAY[1,2,null]
SELECT ARRAY[null] < ARRAY[null]
SELECT ARRAY[null,1] = ARRAY[null,1], ARRAY[null,1] = ARRAY[null,2], ARRAY[null,1] = ARRAY[1], ARRAY[null,1] <> ARRAY[null,2], ARRAY[1,null] IS DISTINCT FROM ARRAY[1,null], ARRAY[1,null] IS DISTINCT FROM ARRAY[1,2], ARRAY[1,null]=ARRAY[1,2], ARRAY[1,null]<>ARRAY[2,2], ARRAY[1,null]=ARRAY[2,2]
SELECT x = y, x <> y, x < y, x IS DISTINCT FROM y FROM (VALUES (ROW(1,2), ROW(1,3)), (ROW(1,3), ROW(1,3))) t(x,y)
SELECT x = y, x <> y FROM (VALUES (ROW(1,2), ROW(1,null)), (ROW(1,2), ROW(2,null)), (ROW(1,null), ROW(1,null)), (ROW(null,2), ROW(null,3))) t(x,y)
SELECT ROW(1,null) < ROW(1,2)
SELECT ROW(1,null) < ROW(2,2)
SELECT x < y FROM (VALUES (ROW(1,null), ROW(1,2))) t(x,y)
SELECT x < y FROM (VALUES (ROW(1,null), ROW(2,2))) t(x,y)
SELECT x < y FROM (VALUES (ROW(2,null), ROW(1,2))) t(x,y)
SELECT x < y FROM (VALUES (ROW(null,1), ROW(null,2))) t(x,y)
SELECT x BETWEEN ARRAY[1] AND ARRAY[2] FROM (VALUES (ARRAY[1,2])) t(x)
SELECT min(x), max(x) FROM (VALUES ARRAY[1,2], ARRAY[1], ARRAY[0,5], null) t(x)
SELECT min(x), max(x) FROM (VALUES ARRAY[1,null], ARRAY[1]) t(x)
SELECT min(x), max(x) FROM (VALUES ARRAY[1,null], ARRAY[1,2]) t(x)
SELECT min(x), max(x) FROM (VALUES ARRAY[1,null], ARRAY[2,2]) t(x)
SELECT min(x), max(x) FROM (VALUES ARRAY[null,1]) t(x)
SELECT x FROM (VALUES ARRAY[1,2], ARRAY[1], ARRAY[0,5], null, ARRAY[]) t(x) ORDER BY x
SELECT x FROM (VALUES ARRAY[1,null], ARRAY[1]) t(x) ORDER BY x
SELECT x FROM (VALUES ARRAY[1,null], ARRAY[1,2]) t(x) ORDER BY x
SELECT x FROM (VALUES ARRAY[1,null], ARRAY[2,2]) t(x) ORDER BY x
SELECT array_sort(ARRAY[ARRAY[1,null], ARRAY[1,2]])
SELECT array_sort(ARRAY[ARRAY[1,3], ARRAY[1,2], null, ARRAY[1]])
SELECT array_sort(ARRAY[ROW(1,null), ROW(1,2)])
SELECT array_max(ARRAY[ARRAY[1,null], ARRAY[1,2]])
SELECT array_max(ARRAY[ARRAY[1,3], ARRAY[1,2]]), array_min(ARRAY[ROW(1,3), ROW(1,2)])
SELECT greatest(ARRAY[1,null], ARRAY[1,2])
SELECT greatest(ARRAY[1,null], ARRAY[2,2])
SELECT max_by(1, x), min_by(1,x) FROM (VALUES ARRAY[1,null], ARRAY[1,2]) t(x)
SELECT max_by(x[1], x), min_by(x[1],x) FROM (VALUES ARRAY[1,3], ARRAY[1,2], ARRAY[0]) t(x)
SELECT array_agg(x ORDER BY x) FROM (VALUES ARRAY[1,3], ARRAY[1,2], ARRAY[0]) t(x)
SELECT array_distinct(ARRAY[ARRAY[1,null], ARRAY[1,null], ARRAY[1,2]]), contains(ARRAY[ARRAY[1,2]], ARRAY[1,2])
SELECT contains(ARRAY[ARRAY[1,null]], ARRAY[1,2])
SELECT contains(ARRAY[ARRAY[1,null]], ARRAY[2,2])
SELECT array_position(ARRAY[ARRAY[1,null]], ARRAY[1,2])
SELECT array_position(ARRAY[ARRAY[2,null],ARRAY[1,2]], ARRAY[1,2])
SELECT array_remove(ARRAY[ARRAY[1,null]], ARRAY[1,2])
SELECT arrays_overlap(ARRAY[ARRAY[1,null]], ARRAY[ARRAY[1,2]]), arrays_overlap(ARRAY[ARRAY[1,null]], ARRAY[ARRAY[1,null]])
SELECT array_intersect(ARRAY[ARRAY[1,null]], ARRAY[ARRAY[1,null]]), array_except(ARRAY[ARRAY[1,null]], ARRAY[ARRAY[1,null]]), array_union(ARRAY[ARRAY[1,null]], ARRAY[ARRAY[1,null]])
SELECT a FROM (VALUES ARRAY[1,2], ARRAY[1,null], null) t(a) WHERE a = ARRAY[1,2]
SELECT a FROM (VALUES ARRAY[1,2], ARRAY[1,null], null) t(a) WHERE a IN (ARRAY[1,2], ARRAY[1,null])
SELECT a IN (ARRAY[1,2], ARRAY[1,null], ARRAY[3]) FROM (VALUES ARRAY[1,2], ARRAY[1,null], null, ARRAY[4], ARRAY[3]) t(a)
SELECT a, b FROM (VALUES ARRAY[1,2], ARRAY[1,null], null) t(a) JOIN (VALUES ARRAY[1,2], ARRAY[1,null], null) u(b) ON a = b
SELECT a, b FROM (VALUES ARRAY[1,2], ARRAY[1,null], null) t(a) JOIN (VALUES ARRAY[1,2], ARRAY[1,null], null) u(b) ON a IS NOT DISTINCT FROM b
SELECT count(DISTINCT a) FROM (VALUES ARRAY[1,2], ARRAY[1,null], ARRAY[1,null], null, ARRAY[]) t(a)
SELECT a, count(*) FROM (VALUES ARRAY[1,2], ARRAY[1,null], ARRAY[1,null], null, ARRAY[]) t(a) GROUP BY a
SELECT a IN (SELECT b FROM (VALUES ARRAY[1,2]) u(b)) FROM (VALUES ARRAY[1,2], ARRAY[1,null], null, ARRAY[2,null]) t(a)
SELECT a IN (SELECT b FROM (VALUES ARRAY[1,null]) u(b)) FROM (VALUES ARRAY[1,2], ARRAY[1,null], null, ARRAY[2,null]) t(a)
SELECT nullif(ARRAY[1,null], ARRAY[1,null]), nullif(ARRAY[1], ARRAY[1])
SELECT rank() OVER (ORDER BY a) FROM (VALUES ARRAY[1,2], ARRAY[1], null) t(a)
SELECT ARRAY[ROW(1,'a')] < ARRAY[ROW(1,'b')], ROW(1,ARRAY[1]) < ROW(1,ARRAY[2])
SELECT ROW(1,2) < ROW(1,2.5), ARRAY[1] < ARRAY[1.5], ARRAY[1] = ARRAY[1e0]
SELECT ROW(1,2) < ROW(1)
SELECT ROW(1,2) < ROW(1,'a')
SELECT ARRAY[nan()] < ARRAY[1e0], ARRAY[nan()] > ARRAY[1e0], ROW(nan()) < ROW(1e0), ROW(1e0) < ROW(nan())
SELECT min(x), max(x) FROM (VALUES ARRAY[nan()], ARRAY[1e0]) t(x)
SELECT x FROM (VALUES ARRAY[nan()], ARRAY[1e0], ARRAY[infinity()]) t(x) ORDER BY x
SELECT a[1], a < ARRAY[1,null] FROM (VALUES ARRAY[0,2]) t(a)
SELECT array_agg(DISTINCT x), count(DISTINCT x) FROM (VALUES ROW(ROW(1,2)), ROW(ROW(1,2)), ROW(ROW(1,null)), ROW(ROW(1,null))) t(x)
SELECT min(x), max(x), min_by(1,x), array_agg(x ORDER BY x) FROM (VALUES ROW(ROW(1,2)), ROW(ROW(1,1)), ROW(ROW(0,5)), ROW(null)) t(x)
SELECT x FROM (VALUES ROW(ROW(1,null)), ROW(ROW(1,2)), ROW(ROW(1,1))) t(x) ORDER BY x
SELECT min(x), max(x) FROM (VALUES ROW(ROW(1,null)), ROW(ROW(2,2))) t(x)
SELECT x BETWEEN ROW(1,1) AND ROW(2,1), x IN (ROW(1,2), ROW(3,4)), x = ROW(1,2) FROM (VALUES ROW(ROW(1,2)), ROW(ROW(1,null)), ROW(null)) t(x)
SELECT x IS DISTINCT FROM y, x = y, x <> y FROM (VALUES (ROW(1,null), ROW(1,null)),(ROW(1,null), ROW(1,2)),(null, ROW(1,2))) t(x,y)
SELECT a.x FROM (VALUES ROW(ROW(1,2)), ROW(ROW(1,null)), ROW(null)) a(x) JOIN (VALUES ROW(ROW(1,2)), ROW(ROW(1,null)), ROW(null)) b(x) ON a.x = b.x
SELECT greatest(x,y), least(x,y) FROM (VALUES (ROW(1,null), ROW(1,null))) t(x,y)
SELECT greatest(x,y), least(x,y) FROM (VALUES (ARRAY[nan()], ARRAY[1e0])) t(x,y)
SELECT ARRAY[1,2] || ARRAY[3] < ARRAY[1,3], ARRAY['a','b'] < ARRAY['a','c'], ARRAY[X'00'] < ARRAY[X'01'], ARRAY[true] > ARRAY[false], ARRAY[DATE '2020-01-01'] < ARRAY[DATE '2020-01-02'], ARRAY[1.5] < ARRAY[2.25]
SELECT array_sort(ARRAY[ARRAY[nan()],ARRAY[1e0]]), array_max(ARRAY[ARRAY[nan()],ARRAY[1e0]]), array_min(ARRAY[ARRAY[nan()],ARRAY[1e0]])
