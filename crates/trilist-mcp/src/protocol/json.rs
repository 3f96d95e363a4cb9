//! JSON in which each name stands once.
//!
//! Where a name stands twice, readers disagree on which value holds, so that what was checked may
//! not be what is used. Depth is bounded by the parser, at 128 levels.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// What is wrong with a text.
#[derive(Debug)]
pub(crate) enum Wrong {
    /// It is no JSON.
    Syntax(serde_json::Error),
    /// A name stands twice in one object.
    Twice,
}

/// Reads one value.
pub(crate) fn parse(text: &[u8]) -> Result<Value, Wrong> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let value = Once.deserialize(&mut reader).map_err(|error| {
        // The parser's own errors are of syntax; the visitor has a single one to tell.
        if error.is_data() { Wrong::Twice } else { Wrong::Syntax(error) }
    })?;
    reader.end().map_err(Wrong::Syntax)?;
    Ok(value)
}

/// One field of a text that is an object, however odd the others are: of them only the shape is
/// looked at. None where the text is no JSON even so, or the field stands in it twice.
pub(crate) fn field(text: &[u8], name: &str) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_str(std::str::from_utf8(text).ok()?);
    let value = Field(name).deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    value
}

struct Field<'n>(&'n str);

impl<'de> DeserializeSeed<'de> for Field<'_> {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Field<'_> {
    type Value = Option<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(name) = fields.next_key::<String>()? {
            if name != self.0 {
                fields.next_value::<IgnoredAny>()?;
            } else if found.replace(fields.next_value()?).is_some() {
                return Err(A::Error::custom("it stands twice"));
            }
        }
        Ok(found)
    }
}

struct Once;

impl<'de> DeserializeSeed<'de> for Once {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Once)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let value = fields.next_value_seed(Once)?;
            if object.insert(name, value).is_some() {
                return Err(A::Error::custom("a name stands twice"));
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Wrong, field, parse};

    #[test]
    fn a_field_is_read_where_the_rest_is_odd() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for odd in ["\"\\ud800\"", "1e400", "{\"a\":1,\"a\":1}", &deep] {
            let text = format!("{{\"a\":{odd},\"id\":7}}");
            assert!(parse(text.as_bytes()).is_err());
            assert_eq!(field(text.as_bytes(), "id"), Some(json!(7)));
        }
        for text in ["{\"id\":7", "{\"id\":7,\"id\":7}", "{\"a\":7}", "[7]", "{\"id\":\"\\ud800\"}"]
        {
            assert_eq!(field(text.as_bytes(), "id"), None, "{text}");
        }
        assert_eq!(field(b"{\"id\":7,\"a\":\"\xff\"}", "id"), None);
    }

    #[test]
    fn values_are_read_as_serde_json_reads_them() {
        let text =
            r#"{"a":[1,-2,1.5,1e3,18446744073709551615,null,true,"\ud83d\ude00",{}],"b":""}"#;
        let expected: Value = serde_json::from_str(text).expect("it is JSON");
        assert_eq!(parse(text.as_bytes()).expect("it is JSON"), expected);
        assert_eq!(parse(b" 7 ").expect("it is JSON"), json!(7));
    }

    #[test]
    fn names_stand_once_at_every_level() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":2,"a":3}}]"#, r#"{"a":1,"\u0061":2}"#]
        {
            assert!(matches!(parse(text.as_bytes()), Err(Wrong::Twice)), "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_told() {
        let deep = [b'['].repeat(100_000);
        let texts: [&[u8]; 6] = [b"{", b"{} x", b"\xff", b"\"\xff\"", b"\"\\ud800\"", b"1e400"];
        for text in texts.into_iter().chain([&deep[..]]) {
            assert!(matches!(parse(text), Err(Wrong::Syntax(_))), "{text:?}");
        }
    }
}
