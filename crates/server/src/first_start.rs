//! Output of a first start: the admin's token in a file that only its owner can read, and two lines to paste.

use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::Context as _;
use rowhouse_engine::{ADMIN_TOKEN_FILE, Bootstrap};

/// Writes a secret atomically: to a new file of mode 0600, synced, then renamed.
pub(crate) fn write_token(data_dir: &Path, token: &str) -> anyhow::Result<()> {
    let path = data_dir.join(ADMIN_TOKEN_FILE);
    let partial = data_dir.join(format!("{ADMIN_TOKEN_FILE}.partial"));
    let write = || -> std::io::Result<()> {
        // A file that a crash left may have other rights.
        match std::fs::remove_file(&partial) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&partial)?;
        writeln!(file, "{token}")?;
        file.sync_all()?;
        std::fs::rename(&partial, &path)?;
        std::fs::File::open(data_dir)?.sync_all()
    };
    write().with_context(|| format!("cannot write the admin's token to {}", path.display()))
}

/// The text printed at start: always the page's address, at the first start also instructions.
pub(crate) fn greeting(base: &str, data_dir: &Path, bootstrap: Option<&Bootstrap>) -> String {
    let mut text = format!("Rowhouse serves {base}/web/\n");
    let Some(bootstrap) = bootstrap else { return text };
    let token_file =
        std::path::absolute(data_dir).unwrap_or_else(|_| data_dir.to_owned()).join(ADMIN_TOKEN_FILE);
    let token_file = token_file.display().to_string();
    let header = format!("-H \"Authorization: Token $(cat {})\"", shell_word(&token_file));
    let workspace = bootstrap.workspace_id.as_str();
    let sql = if bootstrap.has_sample {
        "SELECT n_name, r_name FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey"
    } else {
        "SHOW CATALOGS"
    };
    let Bootstrap { workspace_sql_name, view_sql_name, view_filter, .. } = bootstrap;
    // OK to ignore because writing to a String cannot fail.
    let _ = writeln!(
        text,
        "\nThe admin's token is in {token_file}. Run SQL, and read its rows as CSV:\n\n\
         curl -s {header} \"{base}/api/v1/query/$(curl -s {header} {base}/api/v1/query \
         -d '{{\"workspaceId\":\"{workspace}\",\"sql\":\"{sql}\"}}' | cut -d'\"' -f4)/result\
         ?workspaceId={workspace}&wait=60&format=csv\"\n"
    );
    if !bootstrap.has_sample {
        return text;
    }
    // OK to ignore, as above.
    let _ = writeln!(
        text,
        "\nRead the demo view, which demands a filter:\n\n\
         curl -s {header} \"{base}/v1/data/{workspace_sql_name}/materializedView/{view_sql_name}\
         ?filters={view_filter}\"\n"
    );
    text
}

/// Quotes a path as one word of a shell's line, inside or outside double quotes of a command substitution.
fn shell_word(text: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "/._-+@%:".contains(char);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
