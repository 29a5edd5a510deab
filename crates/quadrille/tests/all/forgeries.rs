//! Every way to change one number or one list of a snapshot as text: what counts, links and lengths can be forged into.

use serde_json::{Value, json};

/// The text with each of its numbers replaced by others in turn, and with each of its lists one longer and one shorter.
pub(crate) fn forgeries(text: &Value) -> impl Iterator<Item = Value> {
    let mut found = Vec::new();
    collect(text, "", &mut found);
    found.into_iter().map(|(pointer, forged)| {
        let mut text = text.clone();
        *text.pointer_mut(&pointer).expect("it was found there") = forged;
        text
    })
}

/// Notes what may stand at `pointer`, and below it, instead.
fn collect(value: &Value, pointer: &str, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            collect(value, &format!("{pointer}/{name}"), found);
        }),
        Value::Array(list) => {
            (0..list.len()).for_each(|k| collect(&list[k], &format!("{pointer}/{k}"), found));
            let [mut longer, mut shorter] = [list.clone(), list.clone()];
            longer.push(list.last().cloned().unwrap_or(json!(0)));
            shorter.pop();
            found.extend([longer, shorter].map(|list| (pointer.to_owned(), list.into())));
        }
        Value::Number(number) => {
            let others = [0, 1, u64::from(u32::MAX) - 1, u32::MAX.into(), u64::MAX].map(Value::from);
            found.extend(
                others
                    .into_iter()
                    .filter(|other| other.as_f64() != number.as_f64())
                    .map(|other| (pointer.to_owned(), other)),
            );
        }
        _ => {}
    }
}
