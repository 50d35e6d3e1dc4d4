//! Text fields that distinguish null (`Some(None)`) from absent (`None`).

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<S: Serializer>(
    value: &Option<Option<String>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}
