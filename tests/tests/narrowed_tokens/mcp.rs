//! Attempts over the Model Context Protocol, and what their answers may contain.

use hyper::Method;
use serde_json::{Value, json};

use super::{Random, SECRET};

/// Messages of MCP, most of which are calls of tools.
pub(crate) fn attempt(random: &mut Random, base: &str) -> (Method, String, Option<String>) {
    let path = format!(
        "{base}{}",
        random.one(&["/mcp", "/mcp/narrow", "/mcp/narrow", "/mcp/demo", "/mcp/%6earrow"])
    );
    let message = |method: &str, params: Value| {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        (Method::POST, path.clone(), Some(message.to_string()))
    };
    if random.below(4) == 0 {
        let uri = random.one(&[
            "rowhouse://narrow/catalog",
            "rowhouse://narrow/table/rowhouse/narrow/sales",
            "rowhouse://demo/catalog",
        ]);
        return match random.below(4) {
            0 => message("tools/list", json!({})),
            1 => message("resources/list", json!({})),
            2 => message("resources/templates/list", json!({})),
            _ => message("resources/read", json!({ "uri": uri })),
        };
    }
    let tool = random.one(&[
        "sales",
        "sales",
        "sales",
        "read_sales_view",
        "read_sales_view",
        "all",
        "read_other_view",
        "read_sales",
        "query",
        "sales_view",
        "Sales",
    ]);
    let mut arguments = json!({});
    for _ in 0..random.below(4) {
        let more = [
            json!({ "region": "US" }),
            json!({ "region": null }),
            json!({ "region": { "type": "varchar", "value": "US" } }),
            json!({ "Region": "US" }),
            json!({ "names": ["SECRET-one", "SECRET-two"] }),
            json!({ "names": ["alpha"] }),
            json!({ "filters": ["region:EQ:US"] }),
            json!({ "filters": ["region:NEQ:EU", "name:LIKE:SECRET%"] }),
            json!({ "filters": ["name:IN:SECRET-one,alpha"] }),
            json!({ "columnNames": ["name"] }),
            json!({ "orderBy": "name:desc" }),
            json!({ "limit": 9 }),
            json!({ "offset": 1 }),
            json!({ "sql": "SELECT region, name FROM sales" }),
            json!({ "workspace": "narrow", "parameters": { "region": "US" } }),
        ];
        let Value::Object(more) = more[random.below(more.len())].clone() else { continue };
        arguments.as_object_mut().expect("an object").extend(more);
    }
    message("tools/call", json!({ "name": tool, "arguments": arguments }))
}

/// Whether an answer of MCP contains rows; checks that all of them are the token's.
pub(crate) fn has_own_rows(text: &str, number: usize, attempt: &(Method, String, Option<String>)) -> bool {
    let answer: Value = serde_json::from_str(text).expect("JSON");
    let result = &answer["result"];
    if answer["error"].is_object() || result["isError"] == true {
        return false;
    }
    assert!(!text.contains(SECRET), "{number}: {attempt:?} brings {text}");
    if let Some(tools) = result["tools"].as_array() {
        for tool in tools {
            let name = tool["name"].as_str().expect("a name");
            assert!(["sales", "read_sales_view"].contains(&name), "{number}: {attempt:?} shows {name}");
            assert!(tool["inputSchema"]["properties"].get("region").is_none(), "{number}: {tool}");
        }
    }
    for empty in ["resources", "resourceTemplates"] {
        assert!(result[empty].as_array().is_none_or(Vec::is_empty), "{number}: {attempt:?} shows {text}");
    }
    assert!(result["contents"].is_null(), "{number}: {attempt:?} shows {text}");
    let Some(rows) = result["structuredContent"]["rows"].as_array() else { return false };
    assert!(
        rows.len() <= 2 && rows.iter().all(|row| row.get("region").is_none_or(|region| region == "EU")),
        "{text}"
    );
    assert!(result["structuredContent"]["totalRows"].as_u64().is_none_or(|total| total <= 2), "{text}");
    true
}
