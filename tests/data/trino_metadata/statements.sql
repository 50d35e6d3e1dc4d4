-- What tools send to learn what there is, one statement a line. `make.py` asks Trino.
-- trino-jdbc 476, java.sql.DatabaseMetaData
SELECT TABLE_CAT FROM system.jdbc.catalogs ORDER BY TABLE_CAT
SELECT TABLE_SCHEM, TABLE_CATALOG FROM system.jdbc.schemas ORDER BY TABLE_CATALOG, TABLE_SCHEM
SELECT TABLE_SCHEM, TABLE_CATALOG FROM system.jdbc.schemas WHERE TABLE_CATALOG = 'tpch' AND TABLE_SCHEM LIKE 'def%' ESCAPE '\' ORDER BY TABLE_CATALOG, TABLE_SCHEM
SELECT TABLE_TYPE FROM system.jdbc.table_types ORDER BY TABLE_TYPE
SELECT TYPE_NAME, DATA_TYPE, PRECISION, LITERAL_PREFIX, LITERAL_SUFFIX, CREATE_PARAMS, NULLABLE, CASE_SENSITIVE, SEARCHABLE, UNSIGNED_ATTRIBUTE, FIXED_PREC_SCALE, AUTO_INCREMENT, LOCAL_TYPE_NAME, MINIMUM_SCALE, MAXIMUM_SCALE, SQL_DATA_TYPE, SQL_DATETIME_SUB, NUM_PREC_RADIX FROM system.jdbc.types ORDER BY DATA_TYPE
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, REMARKS, TYPE_CAT, TYPE_SCHEM, TYPE_NAME, SELF_REFERENCING_COL_NAME, REF_GENERATION FROM system.jdbc.tables ORDER BY TABLE_TYPE, TABLE_CAT, TABLE_SCHEM, TABLE_NAME
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, REMARKS, TYPE_CAT, TYPE_SCHEM, TYPE_NAME, SELF_REFERENCING_COL_NAME, REF_GENERATION FROM system.jdbc.tables WHERE TABLE_CAT = 'tpch' AND TABLE_SCHEM LIKE 'tiny' ESCAPE '\' AND TABLE_NAME LIKE 'all_types' ESCAPE '\' AND TABLE_TYPE IN ('TABLE', 'VIEW') ORDER BY TABLE_TYPE, TABLE_CAT, TABLE_SCHEM, TABLE_NAME
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, REMARKS, TYPE_CAT, TYPE_SCHEM, TYPE_NAME, SELF_REFERENCING_COL_NAME, REF_GENERATION FROM system.jdbc.tables WHERE TABLE_CAT = 'tpch' AND TABLE_SCHEM LIKE 'tiny' ESCAPE '\' AND TABLE_NAME LIKE '%' ESCAPE '\' AND TABLE_TYPE IN ('TABLE') ORDER BY TABLE_TYPE, TABLE_CAT, TABLE_SCHEM, TABLE_NAME
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, REMARKS, TYPE_CAT, TYPE_SCHEM, TYPE_NAME, SELF_REFERENCING_COL_NAME, REF_GENERATION FROM system.jdbc.tables WHERE TABLE_CAT IS NULL AND TABLE_SCHEM IS NULL AND TABLE_NAME LIKE '%' ESCAPE '\' AND TABLE_TYPE IN ('VIEW') ORDER BY TABLE_TYPE, TABLE_CAT, TABLE_SCHEM, TABLE_NAME
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, REMARKS, TYPE_CAT, TYPE_SCHEM, TYPE_NAME, SELF_REFERENCING_COL_NAME, REF_GENERATION FROM system.jdbc.tables WHERE TABLE_CAT = 'tpch' AND TABLE_SCHEM LIKE 'a\_b' ESCAPE '\' AND TABLE_NAME LIKE 'x' ESCAPE '\' AND false ORDER BY TABLE_TYPE, TABLE_CAT, TABLE_SCHEM, TABLE_NAME
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, DATA_TYPE, TYPE_NAME, COLUMN_SIZE, BUFFER_LENGTH, DECIMAL_DIGITS, NUM_PREC_RADIX, NULLABLE, REMARKS, COLUMN_DEF, SQL_DATA_TYPE, SQL_DATETIME_SUB, CHAR_OCTET_LENGTH, ORDINAL_POSITION, IS_NULLABLE, SCOPE_CATALOG, SCOPE_SCHEMA, SCOPE_TABLE, SOURCE_DATA_TYPE, IS_AUTOINCREMENT, IS_GENERATEDCOLUMN FROM system.jdbc.columns ORDER BY TABLE_CAT, TABLE_SCHEM, TABLE_NAME, ORDINAL_POSITION
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, DATA_TYPE, TYPE_NAME, COLUMN_SIZE, BUFFER_LENGTH, DECIMAL_DIGITS, NUM_PREC_RADIX, NULLABLE, REMARKS, COLUMN_DEF, SQL_DATA_TYPE, SQL_DATETIME_SUB, CHAR_OCTET_LENGTH, ORDINAL_POSITION, IS_NULLABLE, SCOPE_CATALOG, SCOPE_SCHEMA, SCOPE_TABLE, SOURCE_DATA_TYPE, IS_AUTOINCREMENT, IS_GENERATEDCOLUMN FROM system.jdbc.columns WHERE TABLE_CAT = 'tpch' AND TABLE_SCHEM LIKE 'tiny' ESCAPE '\' AND TABLE_NAME LIKE 'alltypes' ESCAPE '\' AND COLUMN_NAME LIKE '%' ESCAPE '\' ORDER BY TABLE_CAT, TABLE_SCHEM, TABLE_NAME, ORDINAL_POSITION
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, DATA_TYPE, TYPE_NAME, COLUMN_SIZE, BUFFER_LENGTH, DECIMAL_DIGITS, NUM_PREC_RADIX, NULLABLE, REMARKS, COLUMN_DEF, SQL_DATA_TYPE, SQL_DATETIME_SUB, CHAR_OCTET_LENGTH, ORDINAL_POSITION, IS_NULLABLE, SCOPE_CATALOG, SCOPE_SCHEMA, SCOPE_TABLE, SOURCE_DATA_TYPE, IS_AUTOINCREMENT, IS_GENERATEDCOLUMN FROM system.jdbc.columns WHERE TABLE_CAT = 'tpch' AND TABLE_SCHEM LIKE 'tiny' ESCAPE '\' AND TABLE_NAME LIKE 'nat\_%' ESCAPE '\' AND COLUMN_NAME LIKE 'n%' ESCAPE '\' ORDER BY TABLE_CAT, TABLE_SCHEM, TABLE_NAME, ORDINAL_POSITION
SELECT PROCEDURE_CAT, PROCEDURE_SCHEM, PROCEDURE_NAME, null, null, null, REMARKS, PROCEDURE_TYPE, SPECIFIC_NAME FROM system.jdbc.procedures ORDER BY PROCEDURE_CAT, PROCEDURE_SCHEM, PROCEDURE_NAME, SPECIFIC_NAME LIMIT 0
SELECT PROCEDURE_CAT, PROCEDURE_SCHEM, PROCEDURE_NAME, COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, TYPE_NAME, PRECISION, LENGTH, SCALE, RADIX, NULLABLE, REMARKS, COLUMN_DEF, SQL_DATA_TYPE, SQL_DATETIME_SUB, CHAR_OCTET_LENGTH, ORDINAL_POSITION, IS_NULLABLE, SPECIFIC_NAME FROM system.jdbc.procedure_columns ORDER BY PROCEDURE_CAT, PROCEDURE_SCHEM, PROCEDURE_NAME, SPECIFIC_NAME, COLUMN_NAME LIMIT 0
SELECT TYPE_CAT, TYPE_SCHEM, TYPE_NAME, SUPERTYPE_CAT, SUPERTYPE_SCHEM, SUPERTYPE_NAME FROM system.jdbc.super_types ORDER BY TYPE_CAT, TYPE_SCHEM, TYPE_NAME LIMIT 0
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, SUPERTABLE_NAME FROM system.jdbc.super_tables ORDER BY TABLE_CAT, TABLE_SCHEM, TABLE_NAME LIMIT 0
SELECT TYPE_CAT, TYPE_SCHEM, TYPE_NAME, ATTR_NAME, DATA_TYPE, ATTR_TYPE_NAME, ATTR_SIZE, DECIMAL_DIGITS, NUM_PREC_RADIX, NULLABLE, REMARKS, ATTR_DEF, SQL_DATA_TYPE, SQL_DATETIME_SUB, CHAR_OCTET_LENGTH, ORDINAL_POSITION, IS_NULLABLE, SCOPE_CATALOG, SCOPE_SCHEMA, SCOPE_TABLE, SOURCE_DATA_TYPE FROM system.jdbc.attributes ORDER BY TYPE_CAT, TYPE_SCHEM, TYPE_NAME, ORDINAL_POSITION LIMIT 0
SELECT TYPE_CAT, TYPE_SCHEM, TYPE_NAME, CLASS_NAME, DATA_TYPE, REMARKS, BASE_TYPE FROM system.jdbc.udts ORDER BY DATA_TYPE, TYPE_CAT, TYPE_SCHEM, TYPE_NAME LIMIT 0
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_SIZE, DECIMAL_DIGITS, NUM_PREC_RADIX, COLUMN_USAGE, REMARKS, CHAR_OCTET_LENGTH, IS_NULLABLE FROM system.jdbc.pseudo_columns ORDER BY TABLE_CAT, table_SCHEM, TABLE_NAME, COLUMN_NAME LIMIT 0
SELECT CAST(NULL AS varchar) TABLE_CAT, CAST(NULL AS varchar) TABLE_SCHEM, CAST(NULL AS varchar) TABLE_NAME, CAST(NULL AS varchar) COLUMN_NAME, CAST(NULL AS smallint) KEY_SEQ, CAST(NULL AS varchar) PK_NAME WHERE false
SELECT CAST(NULL AS varchar) PKTABLE_CAT, CAST(NULL AS varchar) PKTABLE_SCHEM, CAST(NULL AS varchar) PKTABLE_NAME, CAST(NULL AS varchar) PKCOLUMN_NAME, CAST(NULL AS varchar) FKTABLE_CAT, CAST(NULL AS varchar) FKTABLE_SCHEM, CAST(NULL AS varchar) FKTABLE_NAME, CAST(NULL AS varchar) FKCOLUMN_NAME, CAST(NULL AS smallint) KEY_SEQ, CAST(NULL AS smallint) UPDATE_RULE, CAST(NULL AS smallint) DELETE_RULE, CAST(NULL AS varchar) FK_NAME, CAST(NULL AS varchar) PK_NAME, CAST(NULL AS smallint) DEFERRABILITY WHERE false
SELECT version()
SELECT current_user
-- trino 0.340 for Python: its SQLAlchemy dialect
SELECT "table_cat" FROM "system"."jdbc"."catalogs"
SELECT "column_name", "data_type", "column_default", UPPER("is_nullable") AS "is_nullable", "comment" FROM "information_schema"."columns" WHERE "table_schema" = 'tiny' AND "table_name" = 'nation' ORDER BY "ordinal_position" ASC
SELECT * FROM tiny."nation$partitions"
SELECT "column_name", "data_type", "column_default", UPPER("is_nullable") AS "is_nullable" FROM "information_schema"."columns" WHERE "table_schema" = 'tiny' AND "table_name" = 'nation' ORDER BY "ordinal_position" ASC
SELECT "schema_name" FROM "information_schema"."schemata"
SELECT "table_name" FROM "information_schema"."tables" WHERE "table_schema" = 'tiny' AND "table_type" = 'BASE TABLE'
SELECT "table_name" FROM "information_schema"."tables" WHERE "table_schema" = 'tiny' AND "table_type" = 'VIEW'
SELECT "table_name" FROM "information_schema"."views" WHERE "table_schema" = 'tiny'
SELECT "view_definition" FROM "information_schema"."views" WHERE "table_schema" = 'tiny' AND "table_name" = 'v'
SELECT "comment" FROM "system"."metadata"."table_comments" WHERE "catalog_name" = 'tpch' AND "schema_name" = 'tiny' AND "table_name" = 'nation'
SELECT "table_name" FROM "tpch"."information_schema"."tables" WHERE "table_schema" = 'tiny' AND "table_name" = 'nation'
SHOW COLUMNS FROM "tpch"."tiny"."nation"
-- dbt-trino 1.11
select schema_name from tpch.INFORMATION_SCHEMA.schemata
select count(*) from "tpch".information_schema.schemata where catalog_name = 'tpch' and schema_name = 'tiny'
select column_name, data_type from "tpch".information_schema.columns where table_catalog = 'tpch' and table_schema = 'tiny' and table_name = 'nation'
select t.table_catalog as database, t.table_name as name, t.table_schema as schema, case when mv.name is not null then 'materialized_view' when t.table_type = 'BASE TABLE' then 'table' when t.table_type = 'VIEW' then 'view' else t.table_type end as table_type from "tpch".information_schema.tables t left join ( select * from system.metadata.materialized_views where catalog_name = 'tpch' and schema_name = 'tiny') mv on mv.catalog_name = t.table_catalog and mv.schema_name = t.table_schema and mv.name = t.table_name where t.table_schema = 'tiny'
with tables as ( select table_catalog as "table_database", table_schema as "table_schema", table_name as "table_name", table_type as "table_type", null as "table_owner" from "tpch".INFORMATION_SCHEMA.tables where table_schema != 'information_schema' and table_schema in ('tiny') ), columns as ( select table_catalog as "table_database", table_schema as "table_schema", table_name as "table_name", column_name as "column_name", ordinal_position as "column_index", data_type as "column_type", comment as "column_comment" from "tpch".INFORMATION_SCHEMA.columns where table_schema != 'information_schema' and table_schema in ('tiny') ), table_comment as ( select catalog_name as "table_database", schema_name as "table_schema", table_name as "table_name", comment as "table_comment" from system.metadata.table_comments where catalog_name = 'tpch' and schema_name != 'information_schema' and schema_name in ('tiny') ) select table_database, table_schema, table_name, table_type, table_owner, column_name, column_index, column_type, column_comment, table_comment from tables join columns using ("table_database", "table_schema", "table_name") join table_comment using ("table_database", "table_schema", "table_name") order by "column_index"
show functions from "tpch"."tiny"
-- Ibis 12
SELECT "column_name", "data_type", "is_nullable" = 'YES' AS "nullable" FROM "tpch"."information_schema"."columns" WHERE "table_name" = 'nation' AND "table_schema" = 'tiny' ORDER BY "ordinal_position"
SELECT CURRENT_CATALOG
SELECT CURRENT_SCHEMA
SHOW SCHEMAS IN "tpch"
SHOW TABLES IN "tpch"."tiny"
-- statements of SQL's own
SHOW CATALOGS
SHOW CATALOGS LIKE 't%'
SHOW CATALOGS LIKE 't\_%' ESCAPE '\'
SHOW CATALOGS LIKE 'x' ESCAPE 'xx'
SHOW SCHEMAS
SHOW SCHEMAS FROM tpch
SHOW SCHEMAS IN tpch LIKE 't%'
SHOW SCHEMAS FROM nowhere
SHOW TABLES
SHOW TABLES FROM tiny
SHOW TABLES FROM tpch.tiny LIKE 'n%' ESCAPE '#'
SHOW TABLES FROM nowhere
SHOW TABLES FROM nowhere.tiny
SHOW TABLES FROM a.b.c
SHOW COLUMNS FROM nation
SHOW COLUMNS IN nation LIKE 'n%'
SHOW COLUMNS FROM nowhere
SHOW COLUMNS
DESCRIBE nation
DESC tpch.tiny.nation
DESCRIBE system.jdbc.columns
DESCRIBE information_schema.columns
SHOW CREATE TABLE nation
SHOW CREATE TABLE information_schema.tables
SHOW CREATE SCHEMA tpch.tiny
SHOW CREATE SCHEMA tiny
SHOW CREATE SCHEMA nowhere
SHOW CREATE VIEW nation
SHOW CREATE MATERIALIZED VIEW nation
SHOW CREATE TABLE nowhere
SHOW CREATE INDEX x
SHOW FUNCTIONS
SHOW FUNCTIONS LIKE 'a%'
SHOW FUNCTIONS FROM tpch.tiny
SHOW FUNCTIONS FROM tpch.tiny LIKE 'a%'
SHOW SESSION
SHOW SESSION LIKE 'q%'
SHOW STATS FOR nation
SHOW STATS FOR (SELECT n_name, n_regionkey AS r FROM nation WHERE n_nationkey > 3)
SHOW STATS FOR nowhere
SHOW ROLES
SHOW CURRENT ROLES
SHOW ROLE GRANTS
SHOW ROLES FROM tpch
SHOW GRANTS
SHOW GRANTS ON nation
SHOW GRANTS ON TABLE nation
SHOW NOTHING
SHOW
SHOW TABLES STARTS WITH 'x'
EXPLAIN SELECT 1
EXPLAIN (TYPE LOGICAL) SELECT 1
EXPLAIN (TYPE DISTRIBUTED, FORMAT TEXT) SELECT 1
EXPLAIN (FORMAT JSON) SELECT 1
EXPLAIN (TYPE LOGICAL, FORMAT GRAPHVIZ) SELECT 1
EXPLAIN (TYPE VALIDATE) SELECT 1
EXPLAIN (TYPE IO) SELECT * FROM nation
EXPLAIN (TYPE IO, FORMAT JSON) SELECT * FROM nation
EXPLAIN (TYPE VALIDATE) SELECT nothing
EXPLAIN (TYPE NOTHING) SELECT 1
EXPLAIN (NOTHING) SELECT 1
EXPLAIN () SELECT 1
EXPLAIN (SELECT 1)
EXPLAIN ANALYZE SELECT 1
EXPLAIN ANALYZE VERBOSE SELECT n_name FROM tpch.tiny.nation WHERE n_nationkey > 3
EXPLAIN VERBOSE SELECT 1
EXPLAIN ANALYZE SELECT nothing
EXPLAIN SHOW TABLES
SELECT version()
SELECT current_user, current_catalog, current_schema
SELECT 1
-- hidden columns
SELECT * FROM information_schema.columns
SELECT c.* FROM information_schema.columns c
SELECT comment, c.extra_info, column_comment FROM information_schema.columns c
SELECT *, table_comment FROM information_schema.tables
SELECT table_comment FROM information_schema.tables AS t (a, b, c, d)
SELECT * FROM (SELECT * FROM information_schema.tables) t
SELECT table_comment FROM (SELECT * FROM information_schema.tables) t
SELECT * FROM information_schema.nothing
-- joins, WHERE and aggregates over them
SELECT t.table_name, count(*) AS n FROM information_schema.tables t JOIN information_schema.columns c ON t.table_schema = c.table_schema AND t.table_name = c.table_name WHERE t.table_schema <> 'information_schema' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3
SELECT table_cat FROM system.jdbc.catalogs EXCEPT SELECT catalog_name FROM system.metadata.catalogs
SELECT node_id, coordinator FROM system.runtime.nodes WHERE state = 'active'
