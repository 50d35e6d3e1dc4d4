//! The client against a server that answers as each test scripts it.

mod scripted_server;

mod endpoints;
mod faults;
mod queries;
mod views;
