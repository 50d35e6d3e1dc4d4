//! The definitions of the tables that are generated from the catalog: their names, columns and types are those of Trino
//! 476.

use rowhouse_executor::catalog::INFORMATION_SCHEMA;

use crate::types::{Type, parse_type};

/// A table that is generated from the catalog.
#[derive(Debug)]
pub(in crate::analyze) struct SystemTable {
    /// `information_schema`, which exists in each catalog, or a schema of the catalog `system`.
    pub(in crate::analyze) schema: &'static str,
    pub(in crate::analyze) name: &'static str,
    /// Names and types of the columns, separated by `, `.
    columns: &'static str,
    /// Columns that can be named but are not part of `*`.
    hidden: &'static str,
}

impl SystemTable {
    /// Names and types of the columns that are part of `*`.
    pub(super) fn columns(&self) -> Vec<(&'static str, Type)> {
        parsed(self.columns)
    }

    /// Names and types of the columns that are not part of `*`; they follow the others.
    pub(super) fn hidden(&self) -> Vec<(&'static str, Type)> {
        parsed(self.hidden)
    }
}

fn parsed(columns: &'static str) -> Vec<(&'static str, Type)> {
    let column = |column: &'static str| {
        let (name, data_type) = column.split_once(' ')?;
        Some((name, parse_type(data_type)?))
    };
    columns.split(", ").filter_map(column).collect()
}

/// The table in a schema of the catalog `system`, or in any catalog's information schema.
pub(super) fn system_table(schema: &str, name: &str) -> Option<&'static SystemTable> {
    TABLES.iter().find(|table| table.schema == schema && table.name == name)
}

/// The tables of a schema, in order.
pub(crate) fn table_names(schema: &str) -> impl Iterator<Item = &'static str> {
    TABLES.iter().filter(move |table| table.schema == schema).map(|table| table.name)
}

const PROPERTIES: &str = "catalog_name varchar, property_name varchar, default_value varchar, type varchar, \
    description varchar";

const fn table(schema: &'static str, name: &'static str, columns: &'static str) -> SystemTable {
    SystemTable { schema, name, columns, hidden: "" }
}

/// All generated tables, by schema and name.
pub(in crate::analyze) const TABLES: &[SystemTable] = &[
    table(
        INFORMATION_SCHEMA,
        "applicable_roles",
        "grantee varchar, grantee_type varchar, role_name varchar, is_grantable varchar",
    ),
    SystemTable {
        schema: INFORMATION_SCHEMA,
        name: "columns",
        columns: "table_catalog varchar, table_schema varchar, table_name varchar, column_name varchar, \
            ordinal_position bigint, column_default varchar, is_nullable varchar, data_type varchar",
        hidden: "comment varchar, extra_info varchar, column_comment varchar",
    },
    table(INFORMATION_SCHEMA, "enabled_roles", "role_name varchar"),
    table(INFORMATION_SCHEMA, "roles", "role_name varchar"),
    table(INFORMATION_SCHEMA, "schemata", "catalog_name varchar, schema_name varchar"),
    table(
        INFORMATION_SCHEMA,
        "table_privileges",
        "grantor varchar, grantor_type varchar, grantee varchar, grantee_type varchar, table_catalog varchar, \
            table_schema varchar, table_name varchar, privilege_type varchar, is_grantable varchar, \
            with_hierarchy varchar",
    ),
    SystemTable {
        schema: INFORMATION_SCHEMA,
        name: "tables",
        columns: "table_catalog varchar, table_schema varchar, table_name varchar, table_type varchar",
        hidden: "table_comment varchar",
    },
    table(
        INFORMATION_SCHEMA,
        "views",
        "table_catalog varchar, table_schema varchar, table_name varchar, view_definition varchar",
    ),
    table(
        "jdbc",
        "attributes",
        "type_cat varchar, type_schem varchar, type_name varchar, attr_name varchar, data_type bigint, \
            attr_type_name varchar, attr_size bigint, decimal_digits bigint, num_prec_radix bigint, \
            nullable bigint, remarks varchar, attr_def varchar, sql_data_type bigint, sql_datetime_sub bigint, \
            char_octet_length bigint, ordinal_position bigint, is_nullable varchar, scope_catalog varchar, \
            scope_schema varchar, scope_table varchar, source_data_type bigint",
    ),
    table("jdbc", "catalogs", "table_cat varchar"),
    table(
        "jdbc",
        "columns",
        "table_cat varchar, table_schem varchar, table_name varchar, column_name varchar, data_type bigint, \
            type_name varchar, column_size bigint, buffer_length bigint, decimal_digits bigint, \
            num_prec_radix bigint, nullable bigint, remarks varchar, column_def varchar, sql_data_type bigint, \
            sql_datetime_sub bigint, char_octet_length bigint, ordinal_position bigint, is_nullable varchar, \
            scope_catalog varchar, scope_schema varchar, scope_table varchar, source_data_type bigint, \
            is_autoincrement varchar, is_generatedcolumn varchar",
    ),
    table(
        "jdbc",
        "procedure_columns",
        "procedure_cat varchar, procedure_schem varchar, procedure_name varchar, column_name varchar, \
            column_type bigint, data_type bigint, type_name varchar, precision bigint, length bigint, \
            scale bigint, radix bigint, nullable bigint, remarks varchar, column_def varchar, \
            sql_data_type bigint, sql_datetime_sub bigint, char_octet_length bigint, ordinal_position bigint, \
            is_nullable varchar, specific_name varchar",
    ),
    table(
        "jdbc",
        "procedures",
        "procedure_cat varchar, procedure_schem varchar, procedure_name varchar, remarks varchar, \
            procedure_type bigint, specific_name varchar",
    ),
    table(
        "jdbc",
        "pseudo_columns",
        "table_cat varchar, table_schem varchar, table_name varchar, column_name varchar, data_type bigint, \
            column_size bigint, decimal_digits bigint, num_prec_radix bigint, column_usage varchar, \
            remarks varchar, char_octet_length bigint, is_nullable bigint",
    ),
    table("jdbc", "schemas", "table_schem varchar, table_catalog varchar"),
    table(
        "jdbc",
        "super_tables",
        "table_cat varchar, table_schem varchar, table_name varchar, supertable_name varchar",
    ),
    table(
        "jdbc",
        "super_types",
        "type_cat varchar, type_schem varchar, type_name varchar, supertype_cat varchar, \
            supertype_schem varchar, supertype_name varchar",
    ),
    table("jdbc", "table_types", "table_type varchar"),
    table(
        "jdbc",
        "tables",
        "table_cat varchar, table_schem varchar, table_name varchar, table_type varchar, remarks varchar, \
            type_cat varchar, type_schem varchar, type_name varchar, self_referencing_col_name varchar, \
            ref_generation varchar",
    ),
    table(
        "jdbc",
        "types",
        "type_name varchar, data_type bigint, precision bigint, literal_prefix varchar, literal_suffix varchar, \
            create_params varchar, nullable bigint, case_sensitive boolean, searchable bigint, \
            unsigned_attribute boolean, fixed_prec_scale boolean, auto_increment boolean, \
            local_type_name varchar, minimum_scale bigint, maximum_scale bigint, sql_data_type bigint, \
            sql_datetime_sub bigint, num_prec_radix bigint",
    ),
    table(
        "jdbc",
        "udts",
        "type_cat varchar, type_schem varchar, type_name varchar, class_name varchar, data_type varchar, \
            remarks varchar, base_type varchar",
    ),
    table("metadata", "analyze_properties", PROPERTIES),
    table("metadata", "catalogs", "catalog_name varchar, connector_id varchar, connector_name varchar"),
    table("metadata", "column_properties", PROPERTIES),
    table("metadata", "materialized_view_properties", PROPERTIES),
    table(
        "metadata",
        "materialized_views",
        "catalog_name varchar, schema_name varchar, name varchar, storage_catalog varchar, \
            storage_schema varchar, storage_table varchar, freshness varchar, \
            last_fresh_time timestamp(9) with time zone, comment varchar, definition varchar",
    ),
    table("metadata", "schema_properties", PROPERTIES),
    table(
        "metadata",
        "table_comments",
        "catalog_name varchar, schema_name varchar, table_name varchar, comment varchar",
    ),
    table("metadata", "table_properties", PROPERTIES),
    table(
        "runtime",
        "nodes",
        "node_id varchar, http_uri varchar, node_version varchar, coordinator boolean, state varchar",
    ),
    table(
        "runtime",
        "queries",
        "query_id varchar, state varchar, user varchar, source varchar, query varchar, \
            resource_group_id array(varchar), queued_time_ms bigint, analysis_time_ms bigint, \
            planning_time_ms bigint, created timestamp(3) with time zone, started timestamp(3) with time zone, \
            last_heartbeat timestamp(3) with time zone, end timestamp(3) with time zone, error_type varchar, \
            error_code varchar",
    ),
    table(
        "runtime",
        "tasks",
        "node_id varchar, task_id varchar, stage_id varchar, query_id varchar, state varchar, splits bigint, \
            queued_splits bigint, running_splits bigint, completed_splits bigint, \
            split_scheduled_time_ms bigint, split_cpu_time_ms bigint, split_blocked_time_ms bigint, \
            raw_input_bytes bigint, raw_input_rows bigint, processed_input_bytes bigint, \
            processed_input_rows bigint, output_bytes bigint, output_rows bigint, physical_input_bytes bigint, \
            physical_written_bytes bigint, created timestamp(3) with time zone, \
            start timestamp(3) with time zone, last_heartbeat timestamp(3) with time zone, \
            end timestamp(3) with time zone",
    ),
    table(
        "runtime",
        "transactions",
        "transaction_id varchar, isolation_level varchar, read_only boolean, auto_commit_context boolean, \
            create_time timestamp(3) with time zone, idle_time_secs bigint, written_catalog varchar, \
            catalogs array(varchar)",
    ),
];
