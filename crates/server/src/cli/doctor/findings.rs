//! Findings, one line each as they are found, with advice below those that are not good.

/// Whether there is any bad finding so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    has_bad: bool,
}

impl Findings {
    pub(super) fn good(&mut self, subject: &str, text: String) {
        println!("ok    {subject}: {text}");
    }

    /// A server would run; the operator should know.
    pub(super) fn doubtful(&mut self, subject: &str, text: String, advice: &str) {
        println!("warn  {subject}: {text}\n      -> {advice}");
    }

    /// A server would not run, or not well.
    pub(super) fn bad(&mut self, subject: &str, text: String, advice: &str) {
        self.has_bad = true;
        println!("FAIL  {subject}: {text}\n      -> {advice}");
    }

    pub(super) const fn are_bad(&self) -> bool {
        self.has_bad
    }
}
