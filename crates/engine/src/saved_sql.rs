//! saved_sql
