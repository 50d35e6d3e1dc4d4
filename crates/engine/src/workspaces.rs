//! workspaces
