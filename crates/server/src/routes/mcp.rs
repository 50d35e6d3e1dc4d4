//! The Model Context Protocol over HTTP (D125): endpoints and views are tools, any SQL is a tool if the operator allows it, and
//! the catalog is resources. The message types are those of the protocol's SDK; requests are handled like all others. There are
//! no sessions. Every answer is one JSON body, except for long calls of clients that request progress (D133).

mod capped_rows;
mod handler;
mod message;
mod negotiation;
mod origin;
mod outcome;
mod paging;
mod progress;
mod reported_call;
mod resources;
mod scope;
mod table_facts;
mod tools;

pub(super) use handler::answer;
