//! The sample catalog's schemas, tables and columns, known without any file. Names and types are those of Trino's
//! `tpch` connector with decimals. `crates/embedded/src/tpch.rs` generates the rows on first use.

use std::path::{Path, PathBuf};

/// A schema of the sample catalog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TpchSchema {
    /// Its name in SQL.
    pub name: &'static str,
    /// TPC-H's scale factor: 1 is about 1 GB of text.
    pub scale_factor: f64,
}

/// Every schema.
pub const SCHEMAS: &[TpchSchema] =
    &[TpchSchema { name: "tiny", scale_factor: 0.01 }, TpchSchema { name: "sf1", scale_factor: 1.0 }];

/// A table of the sample catalog, the same in every schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TpchTable {
    /// Its name in SQL.
    pub name: &'static str,
    /// Its columns, in order.
    pub columns: &'static [(&'static str, TpchType)],
    /// Rows at scale 1; those of `lineitem` follow no formula, see [`TpchTable::row_count`].
    base_row_count: u64,
}

/// The column types of TPC-H.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TpchType {
    /// `bigint`
    Bigint,
    /// `integer`
    Integer,
    /// `decimal(15,2)`
    Decimal,
    /// `date`
    Date,
    /// `varchar(n)`
    Varchar(u32),
}

impl TpchType {
    /// The type's name, as columns show it (D15).
    pub fn name(self) -> String {
        match self {
            Self::Bigint => "bigint".to_owned(),
            Self::Integer => "integer".to_owned(),
            Self::Decimal => "decimal(15,2)".to_owned(),
            Self::Date => "date".to_owned(),
            Self::Varchar(length) => format!("varchar({length})"),
        }
    }
}

impl TpchTable {
    /// Rows that the table has at a scale; an estimate for `lineitem`, exact for the others.
    pub fn row_count(&self, scale_factor: f64) -> u64 {
        match self.name {
            "region" | "nation" => self.base_row_count,
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                clippy::cast_sign_loss,
                reason = "a count far below 2^53 times a small positive scale"
            )]
            _ => (self.base_row_count as f64 * scale_factor) as u64,
        }
    }

    /// Path of the file with its rows.
    pub fn file(&self, tpch_dir: &Path, schema: TpchSchema) -> PathBuf {
        tpch_dir.join(schema.name).join(format!("{}.parquet", self.name))
    }
}

/// The schema of that name.
pub fn schema(name: &str) -> Option<TpchSchema> {
    SCHEMAS.iter().copied().find(|schema| schema.name == name)
}

/// The table of that name.
pub fn table(name: &str) -> Option<&'static TpchTable> {
    TABLES.iter().find(|table| table.name == name)
}

/// Every table.
pub const TABLES: &[TpchTable] = {
    use TpchType::{Bigint, Date, Decimal, Integer, Varchar};
    &[
        TpchTable {
            name: "customer",
            base_row_count: 150_000,
            columns: &[
                ("c_custkey", Bigint),
                ("c_name", Varchar(25)),
                ("c_address", Varchar(40)),
                ("c_nationkey", Bigint),
                ("c_phone", Varchar(15)),
                ("c_acctbal", Decimal),
                ("c_mktsegment", Varchar(10)),
                ("c_comment", Varchar(117)),
            ],
        },
        TpchTable {
            name: "lineitem",
            base_row_count: 6_001_215,
            columns: &[
                ("l_orderkey", Bigint),
                ("l_partkey", Bigint),
                ("l_suppkey", Bigint),
                ("l_linenumber", Integer),
                ("l_quantity", Decimal),
                ("l_extendedprice", Decimal),
                ("l_discount", Decimal),
                ("l_tax", Decimal),
                ("l_returnflag", Varchar(1)),
                ("l_linestatus", Varchar(1)),
                ("l_shipdate", Date),
                ("l_commitdate", Date),
                ("l_receiptdate", Date),
                ("l_shipinstruct", Varchar(25)),
                ("l_shipmode", Varchar(10)),
                ("l_comment", Varchar(44)),
            ],
        },
        TpchTable {
            name: "nation",
            base_row_count: 25,
            columns: &[
                ("n_nationkey", Bigint),
                ("n_name", Varchar(25)),
                ("n_regionkey", Bigint),
                ("n_comment", Varchar(152)),
            ],
        },
        TpchTable {
            name: "orders",
            base_row_count: 1_500_000,
            columns: &[
                ("o_orderkey", Bigint),
                ("o_custkey", Bigint),
                ("o_orderstatus", Varchar(1)),
                ("o_totalprice", Decimal),
                ("o_orderdate", Date),
                ("o_orderpriority", Varchar(15)),
                ("o_clerk", Varchar(15)),
                ("o_shippriority", Integer),
                ("o_comment", Varchar(79)),
            ],
        },
        TpchTable {
            name: "part",
            base_row_count: 200_000,
            columns: &[
                ("p_partkey", Bigint),
                ("p_name", Varchar(55)),
                ("p_mfgr", Varchar(25)),
                ("p_brand", Varchar(10)),
                ("p_type", Varchar(25)),
                ("p_size", Integer),
                ("p_container", Varchar(10)),
                ("p_retailprice", Decimal),
                ("p_comment", Varchar(23)),
            ],
        },
        TpchTable {
            name: "partsupp",
            base_row_count: 800_000,
            columns: &[
                ("ps_partkey", Bigint),
                ("ps_suppkey", Bigint),
                ("ps_availqty", Integer),
                ("ps_supplycost", Decimal),
                ("ps_comment", Varchar(199)),
            ],
        },
        TpchTable {
            name: "region",
            base_row_count: 5,
            columns: &[("r_regionkey", Bigint), ("r_name", Varchar(25)), ("r_comment", Varchar(152))],
        },
        TpchTable {
            name: "supplier",
            base_row_count: 10_000,
            columns: &[
                ("s_suppkey", Bigint),
                ("s_name", Varchar(25)),
                ("s_address", Varchar(40)),
                ("s_nationkey", Bigint),
                ("s_phone", Varchar(15)),
                ("s_acctbal", Decimal),
                ("s_comment", Varchar(101)),
            ],
        },
    ]
};
