//! arrow_file
