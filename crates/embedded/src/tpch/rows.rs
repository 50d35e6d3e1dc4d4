//! The rows of each TPC-H table, read from the generator field by field in the order of the columns.

use std::io;

use tpchgen::generators::{
    CustomerGenerator, LineItemGenerator, NationGenerator, OrderGenerator, PartGenerator, PartSuppGenerator,
    RegionGenerator, SupplierGenerator,
};

use super::RowGroup;

/// Receives one row, as a function that adds the row's values to a row group.
pub(super) type RowSink<'a> = dyn FnMut(&mut dyn FnMut(&mut RowGroup)) -> io::Result<()> + 'a;

/// Passes every row of a table to `sink`.
pub(super) fn generate(table: &str, scale_factor: f64, sink: &mut RowSink<'_>) -> io::Result<()> {
    match table {
        "region" => region(scale_factor, sink),
        "nation" => nation(scale_factor, sink),
        "supplier" => supplier(scale_factor, sink),
        "customer" => customer(scale_factor, sink),
        "part" => part(scale_factor, sink),
        "partsupp" => partsupp(scale_factor, sink),
        "orders" => orders(scale_factor, sink),
        _ => lineitem(scale_factor, sink),
    }
}

fn region(scale_factor: f64, sink: &mut RowSink<'_>) -> io::Result<()> {
    for row in RegionGenerator::new(scale_factor, 1, 1).iter() {
        sink(&mut |group| {
            group.number(row.r_regionkey).text(row.r_name).text(row.r_comment);
        })?;
    }
    Ok(())
}

fn nation(scale_factor: f64, sink: &mut RowSink<'_>) -> io::Result<()> {
    for row in NationGenerator::new(scale_factor, 1, 1).iter() {
        sink(&mut |group| {
            group.number(row.n_nationkey).text(row.n_name).number(row.n_regionkey).text(row.n_comment);
        })?;
    }
    Ok(())
}

fn supplier(scale_factor: f64, sink: &mut RowSink<'_>) -> io::Result<()> {
    for row in SupplierGenerator::new(scale_factor, 1, 1).iter() {
        sink(&mut |group| {
            group
                .number(row.s_suppkey)
                .text(row.s_name)
                .text(&row.s_address)
                .number(row.s_nationkey)
                .text(&row.s_phone)
                .number(row.s_acctbal.into_inner())
                .text(&row.s_comment);
        })?;
    }
    Ok(())
}

fn customer(scale_factor: f64, sink: &mut RowSink<'_>) -> io::Result<()> {
    for row in CustomerGenerator::new(scale_factor, 1, 1).iter() {
        sink(&mut |group| {
            group
                .number(row.c_custkey)
                .text(row.c_name)
                .text(&row.c_address)
                .number(row.c_nationkey)
                .text(&row.c_phone)
                .number(row.c_acctbal.into_inner())
                .text(row.c_mktsegment)
                .text(row.c_comment);
        })?;
    }
    Ok(())
}

fn part(scale_factor: f64, sink: &mut RowSink<'_>) -> io::Result<()> {
    for row in PartGenerator::new(scale_factor, 1, 1).iter() {
        sink(&mut |group| {
            group
                .number(row.p_partkey)
                .text(&row.p_name)
                .text(row.p_mfgr)
                .text(row.p_brand)
                .text(row.p_type)
                .number(row.p_size.into())
                .text(row.p_container)
                .number(row.p_retailprice.into_inner())
                .text(row.p_comment);
        })?;
    }
    Ok(())
}

fn partsupp(scale_factor: f64, sink: &mut RowSink<'_>) -> io::Result<()> {
    for row in PartSuppGenerator::new(scale_factor, 1, 1).iter() {
        sink(&mut |group| {
            group
                .number(row.ps_partkey)
                .number(row.ps_suppkey)
                .number(row.ps_availqty.into())
                .number(row.ps_supplycost.into_inner())
                .text(row.ps_comment);
        })?;
    }
    Ok(())
}

fn orders(scale_factor: f64, sink: &mut RowSink<'_>) -> io::Result<()> {
    for row in OrderGenerator::new(scale_factor, 1, 1).iter() {
        sink(&mut |group| {
            group
                .number(row.o_orderkey)
                .number(row.o_custkey)
                .text(row.o_orderstatus)
                .number(row.o_totalprice.into_inner())
                .number(row.o_orderdate.to_unix_epoch().into())
                .text(row.o_orderpriority)
                .text(row.o_clerk)
                .number(row.o_shippriority.into())
                .text(row.o_comment);
        })?;
    }
    Ok(())
}

fn lineitem(scale_factor: f64, sink: &mut RowSink<'_>) -> io::Result<()> {
    for row in LineItemGenerator::new(scale_factor, 1, 1).iter() {
        sink(&mut |group| {
            group
                .number(row.l_orderkey)
                .number(row.l_partkey)
                .number(row.l_suppkey)
                .number(row.l_linenumber.into())
                // The generator counts whole units, the column has cents.
                .number(row.l_quantity * 100)
                .number(row.l_extendedprice.into_inner())
                .number(row.l_discount.into_inner())
                .number(row.l_tax.into_inner())
                .text(row.l_returnflag)
                .text(row.l_linestatus)
                .number(row.l_shipdate.to_unix_epoch().into())
                .number(row.l_commitdate.to_unix_epoch().into())
                .number(row.l_receiptdate.to_unix_epoch().into())
                .text(row.l_shipinstruct)
                .text(row.l_shipmode)
                .text(row.l_comment);
        })?;
    }
    Ok(())
}
