//! What is announced: clean for strict clients, short, and true of what is answered.

use serde_json::{Map, Value, json};
use trilist::schema;
use trilist_mcp::schema::{Dialect, definitions};
use trilist_tests::TreeBuilder;

use crate::support::Client;

/// Fields of the request that are for hosts alone.
const HOST_ONLY: &[&str] = &["chat", "in_chat"];

/// Arguments without which there is no call.
const NEEDED: &[&str] = &["paths"];

fn tools() -> Vec<Value> {
    definitions(Dialect::Mcp).as_array().unwrap().clone()
}

/// Calls with each schema inside a schema.
fn walk(schema: &Value, each: &mut impl FnMut(&Value)) {
    each(schema);
    let inner = schema["properties"].as_object().into_iter().flat_map(Map::values);
    inner.chain(schema.get("items")).for_each(|schema| walk(schema, each));
}

#[test]
fn schemas_hold_nothing_that_clients_choke_on() {
    const KNOWN: &[&str] = &[
        "type",
        "properties",
        "items",
        "enum",
        "required",
        "additionalProperties",
        "description",
        "minimum",
        "maximum",
    ];
    for tool in tools() {
        for kind in ["inputSchema", "outputSchema"] {
            let Some(schema) = tool.get(kind) else { continue };
            assert_eq!(schema["type"], "object");
            assert!(jsonschema::meta::is_valid(schema), "{schema}");
            walk(schema, &mut |schema| {
                assert!(schema["type"].is_string(), "one type: {schema}");
                for word in schema.as_object().unwrap().keys() {
                    assert!(KNOWN.contains(&word.as_str()), "{word}: {schema}");
                }
                if kind == "inputSchema" && schema["type"] == "object" {
                    assert_eq!(schema["additionalProperties"], false, "{schema}");
                }
            });
        }
    }
}

#[test]
fn every_argument_is_described_and_says_its_bounds() {
    for tool in tools() {
        walk(&tool["inputSchema"], &mut |schema| {
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                assert!(field["description"].is_string(), "{name}");
                if field["type"] == "integer" {
                    assert!(field["minimum"].is_i64(), "{name}");
                }
            }
        });
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], true);
        assert_eq!(hints["idempotentHint"], true);
        assert_eq!(hints["destructiveHint"], false);
        assert_eq!(hints["openWorldHint"], false);
        assert!(
            tool["name"].as_str().unwrap().bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        );
    }
}

#[test]
fn a_model_is_offered_every_field_of_the_requests_but_the_hosts() {
    for (tool, file) in
        [("list_dir", "list_request.json"), ("compare_modes", "compare_request.json")]
    {
        let request = schema::all().into_iter().find(|(name, _)| *name == file).unwrap().1;
        let tools = tools();
        let offered = tools.iter().find(|one| one["name"] == tool).unwrap();
        let offered = &offered["inputSchema"]["properties"];
        for name in request["properties"].as_object().unwrap().keys() {
            let is_hosts = HOST_ONLY.contains(&name.as_str());
            assert_eq!(offered.get(name).is_some(), !is_hosts, "{name}");
        }
        assert!(offered["strict"].is_object());
    }
}

#[test]
fn the_descriptions_of_all_tools_fit_into_1200_tokens() {
    let mut words = 0;
    for tool in tools() {
        words += tokens(tool["description"].as_str().unwrap());
        for kind in ["inputSchema", "outputSchema"] {
            walk(&tool[kind], &mut |schema| {
                words += schema["description"].as_str().map_or(0, tokens);
            });
        }
    }
    assert!((200..1_200).contains(&words), "{words}");
}

/// At least as many tokens as a model's vocabulary makes of a text: a word for each five letters
/// that it has, and one for each sign. Measured vocabularies make about three quarters of that.
fn tokens(text: &str) -> usize {
    let mut count = 0;
    for word in text.split_whitespace() {
        for part in word.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
            let letters = part.chars().filter(char::is_ascii_alphanumeric).count();
            count += letters.div_ceil(5) + (part.chars().count() - letters);
        }
    }
    count
}

#[test]
fn answers_are_what_the_output_schema_says() {
    let tree = TreeBuilder::new()
        .file(".gitignore", "*.log\nb{\n")
        .file("x.log", "")
        .file("src/a\tb", "abc")
        .symlink("l", "src")
        .repo()
        .commit("one")
        .build();
    let mut client = Client::legacy(tree.path());
    let announced = client.request("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(announced, definitions(Dialect::Mcp));
    let list_dir = jsonschema::validator_for(&announced[0]["outputSchema"]).unwrap();
    for mode in ["fs", "files", "vcs"] {
        for view in ["tree", "paths", "entries"] {
            for more in [
                json!({}),
                json!({ "limit": 1 }),
                json!({ "metadata": true, "sort": "size", "unknown": 1 }),
                json!({ "ignore": { "git": true, "show": "mark" } }),
                json!({ "path": "nope" }),
            ] {
                let mut asked = json!({ "mode": mode, "view": view });
                asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                let result = client.call("list_dir", asked.clone());
                let structured = &result["structuredContent"];
                let wrong: Vec<_> =
                    list_dir.iter_errors(structured).map(|e| e.to_string()).collect();
                assert!(wrong.is_empty(), "{asked}: {wrong:?}");
                assert!(structured.as_object().unwrap().values().all(|value| !value.is_null()));
            }
        }
    }
    for asked in [
        json!({ "view": "overview" }),
        json!({ "view": "overview", "mode": "vcs", "max_bytes": 1024 }),
        json!({ "view": "table", "metadata": true }),
        json!({ "view": "drawn" }),
    ] {
        check(&list_dir, &client.call("list_dir", asked)["structuredContent"]);
    }
    let explain = jsonschema::validator_for(&announced[1]["outputSchema"]).unwrap();
    for asked in [json!({ "paths": ["src", "x.log", "no"], "y": 1 }), json!({ "paths": [] })] {
        check(&explain, &client.call("explain_path", asked)["structuredContent"]);
    }
    let compare = jsonschema::validator_for(&announced[2]["outputSchema"]).unwrap();
    for asked in [json!({}), json!({ "show": "all", "limit": 2, "x": 1 }), json!({ "path": "no" })]
    {
        check(&compare, &client.call("compare_modes", asked)["structuredContent"]);
    }
    let last = announced.as_array().unwrap().last().unwrap();
    let list_roots = jsonschema::validator_for(&last["outputSchema"]).unwrap();
    for asked in [json!({}), json!({ "x": 1 })] {
        check(&list_roots, &client.call("list_roots", asked)["structuredContent"]);
    }
}

fn check(schema: &jsonschema::Validator, structured: &Value) {
    let wrong: Vec<_> = schema.iter_errors(structured).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?} in {structured}");
    assert!(!structured.as_object().unwrap().is_empty());
}

#[test]
fn openai_strict_mode_requires_every_field_and_lets_it_be_null() {
    for tool in definitions(Dialect::OpenAi).as_array().unwrap() {
        assert_eq!((&tool["type"], &tool["strict"]), (&json!("function"), &json!(true)));
        let parameters = &tool["parameters"];
        walk(parameters, &mut |schema| {
            let Some(properties) = schema["properties"].as_object() else { return };
            assert_eq!(schema["required"], properties.keys().cloned().collect::<Value>());
            assert_eq!(schema["additionalProperties"], false);
            for (name, field) in properties {
                let is_needed = NEEDED.contains(&name.as_str());
                assert_eq!(field["type"][1] == "null", !is_needed, "{name}");
            }
        });
        let all: Map<_, _> = parameters["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(|name| match NEEDED.contains(&name.as_str()) {
                true => (name.clone(), json!([])),
                false => (name.clone(), Value::Null),
            })
            .collect();
        assert!(jsonschema::is_valid(parameters, &Value::Object(all)));
    }
}

#[test]
fn the_other_dialects_have_their_shape() {
    let native = definitions(Dialect::Mcp);
    let claude = definitions(Dialect::Anthropic);
    let gemini = definitions(Dialect::Gemini);
    let functions = gemini[0]["functionDeclarations"].as_array().unwrap();
    for (index, tool) in native.as_array().unwrap().iter().enumerate() {
        assert_eq!(claude[index]["input_schema"], tool["inputSchema"]);
        assert_eq!(functions[index]["name"], tool["name"]);
        walk(&functions[index]["parameters"], &mut |schema| {
            assert!(schema.get("additionalProperties").is_none(), "{schema}");
        });
    }
}
