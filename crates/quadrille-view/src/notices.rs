//! Messages of the viewer: each disappears once there was time to read it.

/// Seconds to notice a message.
const NOTICED: f64 = 6.0;
/// Seconds to read a letter, slowly.
const LETTER: f64 = 0.08;

#[derive(Clone, Debug)]
struct Notice {
    text: String,
    /// Time of egui's clock, in seconds, at which it disappears; `None` until the first frame that shows it.
    until: Option<f64>,
}

/// Messages that are still shown, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notices(Vec<Notice>);

impl Notices {
    pub(crate) fn add(&mut self, text: String) {
        self.0.push(Notice { text, until: None });
    }

    /// Begins a frame: removes messages that were shown long enough. Returns the seconds until the next one disappears.
    pub(crate) fn begin_frame(&mut self, now: f64) -> Option<f64> {
        for notice in &mut self.0 {
            notice.until.get_or_insert(now + NOTICED + LETTER * notice.text.len() as f64);
        }
        let left = |notice: &Notice| notice.until.map_or(0.0, |until| until - now);
        self.0.retain(|notice| left(notice) > 0.0);
        self.0.iter().map(left).reduce(f64::min)
    }

    /// Closes the message at an index of [`texts`](Self::texts).
    pub(crate) fn close(&mut self, index: usize) {
        self.0.remove(index);
    }

    pub(crate) fn close_all(&mut self) {
        self.0.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|notice| notice.text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_stays_for_its_time_from_the_first_frame_that_shows_it() {
        let mut notices = Notices::default();
        notices.add("short".into());
        let left = notices.begin_frame(100.0).expect("it is shown");
        notices.add("much longer than the first one".into());
        assert_eq!(notices.begin_frame(101.0), Some(left - 1.0));
        assert_eq!(notices.texts().count(), 2);
        assert!(notices.begin_frame(100.0 + left).is_some_and(|left| left > 0.0));
        assert_eq!(notices.texts().collect::<Vec<_>>(), ["much longer than the first one"]);
        notices.close(0);
        assert!(notices.is_empty() && notices.begin_frame(102.0).is_none());
    }
}
