//! English names of months, days and eras, as in Trino.

pub(in crate::expression::function) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(in crate::expression::function) const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

pub(super) const HALFDAYS: [&str; 2] = ["AM", "PM"];

pub(super) const ERAS: [&str; 2] = ["BC", "AD"];
