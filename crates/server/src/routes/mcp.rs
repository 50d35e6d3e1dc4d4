//! The Model Context Protocol over HTTP: endpoints, views and, where the operator wants it, free SQL as tools, the catalog as
//! resources (D125). The types are the protocol's own SDK's; the way over HTTP is that of every other request. There are no
//! sessions, and every answer is one JSON body, but for long calls of clients that want to know how they go on.

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
