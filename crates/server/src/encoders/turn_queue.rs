//! The queue of turns. Shares take turns, so that a share with much work delays another by one turn; within a share,
//! work is done in order. Work that has used up a turn goes behind all that has had none, and never occupies all
//! threads.

use std::collections::{HashMap, VecDeque};

use super::share::Share;

/// Large work begins only while less than this is in progress.
const LARGE_AT_A_TIME: usize = 2;
/// Maximum number of first turns that precede continued work while no thread works on it.
const MOST_PASSED_OVER: usize = 16;

/// Queued work, in order.
#[derive(Debug)]
pub(super) struct TurnQueue<J> {
    /// Work that has had no turn.
    first: Lane<J>,
    /// The same, for large work.
    large: Lane<J>,
    /// Continued work, and whether it is large.
    continued: Lane<(J, bool)>,
    /// Maximum concurrency of continued work, and of large work.
    places: usize,
    places_taken: usize,
    large_begun: usize,
    passed_over: usize,
}

/// Work in its turn.
#[derive(Debug)]
pub(super) struct Turn<J> {
    pub(super) job: J,
    pub(super) ticket: Ticket,
}

/// The queue's data about work in progress.
#[derive(Debug)]
pub(super) struct Ticket {
    share: Share,
    is_large: bool,
    has_place: bool,
}

/// Work of several shares.
#[derive(Debug)]
struct Lane<J> {
    jobs: HashMap<Share, VecDeque<J>>,
    /// The shares with work, in turn.
    turns: VecDeque<Share>,
}

impl<J> TurnQueue<J> {
    /// For this many threads.
    pub(super) fn new(threads: usize) -> Self {
        Self {
            first: Lane::default(),
            large: Lane::default(),
            continued: Lane::default(),
            // One thread is left for new work.
            places: threads.saturating_sub(1).max(1),
            places_taken: 0,
            large_begun: 0,
            passed_over: 0,
        }
    }

    /// Adds work that has had no turn.
    pub(super) fn add(&mut self, share: Share, job: J, is_large: bool) {
        if is_large { &mut self.large } else { &mut self.first }.push(share, job);
    }

    /// The next work, if a thread may do any.
    pub(super) fn take(&mut self) -> Option<Turn<J>> {
        let is_large_next = self.large_begun < LARGE_AT_A_TIME && !self.large.is_empty();
        let others_wait = self.places_taken < self.places && (is_large_next || !self.continued.is_empty());
        let is_first_next = !others_wait || self.passed_over < MOST_PASSED_OVER;
        if is_first_next && let Some((share, job)) = self.first.pop() {
            self.passed_over += usize::from(others_wait);
            return Some(Turn { job, ticket: Ticket { share, is_large: false, has_place: false } });
        }
        if !others_wait {
            return None;
        }
        self.passed_over = 0;
        self.places_taken += 1;
        if is_large_next {
            let (share, job) = self.large.pop()?;
            self.large_begun += 1;
            return Some(Turn { job, ticket: Ticket { share, is_large: true, has_place: true } });
        }
        let (share, (job, is_large)) = self.continued.pop()?;
        Some(Turn { job, ticket: Ticket { share, is_large, has_place: true } })
    }

    /// Returns work that continues in another turn.
    pub(super) fn put_back(&mut self, job: J, ticket: Ticket) {
        self.places_taken -= usize::from(ticket.has_place);
        self.continued.push(ticket.share, (job, ticket.is_large));
    }

    /// Records that work has ended.
    pub(super) fn finish(&mut self, ticket: &Ticket) {
        self.places_taken -= usize::from(ticket.has_place);
        self.large_begun -= usize::from(ticket.is_large);
    }

    /// Number of queued items.
    pub(super) fn len(&self) -> usize {
        self.first.len() + self.large.len() + self.continued.len()
    }
}

impl<J> Lane<J> {
    fn push(&mut self, share: Share, job: J) {
        match self.jobs.get_mut(&share) {
            Some(jobs) => jobs.push_back(job),
            None => {
                self.turns.push_back(share.clone());
                self.jobs.insert(share, VecDeque::from([job]));
            }
        }
    }

    fn pop(&mut self) -> Option<(Share, J)> {
        let share = self.turns.pop_front()?;
        let jobs = self.jobs.get_mut(&share)?;
        let job = jobs.pop_front()?;
        if jobs.is_empty() {
            self.jobs.remove(&share);
        } else {
            self.turns.push_back(share.clone());
        }
        Some((share, job))
    }

    fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    fn len(&self) -> usize {
        self.jobs.values().map(VecDeque::len).sum()
    }
}

impl<J> Default for Lane<J> {
    fn default() -> Self {
        Self { jobs: HashMap::new(), turns: VecDeque::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(name: &str) -> Share {
        Share::Account(rowhouse_model::AccountId::from(name))
    }

    fn queue(threads: usize) -> TurnQueue<String> {
        TurnQueue::new(threads)
    }

    /// Takes work and ends it, until none is left.
    fn drained(queue: &mut TurnQueue<String>) -> String {
        let mut order = Vec::new();
        while let Some(Turn { job, ticket }) = queue.take() {
            queue.finish(&ticket);
            order.push(job);
        }
        order.join(" ")
    }

    #[test]
    fn shares_take_turns_and_each_is_first_in_first_out() {
        let mut queue = queue(2);
        for (share, job) in
            [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("a", "a4"), ("b", "b2"), ("c", "c1")]
        {
            queue.add(account(share), job.to_owned(), false);
        }
        queue.add(Share::Nobody, "n1".to_owned(), false);
        assert_eq!(queue.len(), 8);
        assert_eq!(drained(&mut queue), "a1 b1 c1 n1 a2 b2 a3 a4");
        assert_eq!(queue.len(), 0);
    }

    /// Regression: a read waited for all 64 scans of another account that came before it.
    #[test]
    fn continued_work_waits_for_new_work() {
        let mut queue = queue(2);
        for scan in 0..64 {
            queue.add(account("a"), format!("scan{scan}"), false);
        }
        // Each has its first turn and is not done.
        while !queue.first.is_empty() {
            let Turn { job, ticket } = queue.take().expect("work");
            queue.put_back(job, ticket);
        }
        // However often that happens, it waits for at most one turn, and none if a thread is idle.
        for read in 0..100 {
            queue.add(account("b"), format!("point{read}"), false);
            let [one, other] = [(); 2].map(|()| queue.take().expect("two threads have work"));
            assert!(queue.take().is_none(), "one thread goes on with a scan, the other has the read");
            let is_read = |turn: &Turn<String>| turn.job == format!("point{read}");
            let (point, scan) = if is_read(&one) { (one, other) } else { (other, one) };
            assert!(is_read(&point) && scan.job.starts_with("scan"), "{} {}", point.job, scan.job);
            queue.finish(&point.ticket);
            // The other thread is reserved for new work.
            assert!(queue.take().is_none());
            queue.put_back(scan.job, scan.ticket);
        }
    }

    #[test]
    fn continued_work_of_a_share_takes_turns() {
        let mut queue = queue(2);
        for scan in 0..3 {
            queue.add(account("a"), format!("scan{scan}"), false);
            let Turn { job, ticket } = queue.take().expect("work");
            queue.put_back(job, ticket);
        }
        for scan in [0, 1, 2, 0, 1] {
            let Turn { job, ticket } = queue.take().expect("work");
            assert_eq!(job, format!("scan{scan}"));
            queue.put_back(job, ticket);
        }
    }

    #[test]
    fn continued_work_does_not_starve() {
        let mut queue = queue(4);
        queue.add(account("a"), "scan".to_owned(), false);
        let Turn { job, ticket } = queue.take().expect("work");
        queue.put_back(job, ticket);
        let mut passed_over = 0;
        loop {
            queue.add(account("b"), "point".to_owned(), false);
            let Turn { job, ticket } = queue.take().expect("work");
            queue.finish(&ticket);
            if job == "scan" {
                break;
            }
            passed_over += 1;
        }
        assert_eq!(passed_over, MOST_PASSED_OVER);
    }

    #[test]
    fn large_work_begins_when_other_large_work_has_ended() {
        let mut queue = queue(8);
        for (share, job) in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1")] {
            queue.add(account(share), job.to_owned(), true);
        }
        let (first, second) = (queue.take().expect("work"), queue.take().expect("work"));
        assert_eq!((first.job.as_str(), second.job.as_str()), ("a1", "b1"));
        assert!(queue.take().is_none(), "two are under way");
        // In its next turn it is still in progress.
        queue.put_back(first.job, first.ticket);
        let first = queue.take().expect("work");
        assert_eq!(first.job, "a1");
        assert!(queue.take().is_none());
        queue.finish(&first.ticket);
        assert_eq!(queue.take().expect("work").job, "a2");
        queue.finish(&second.ticket);
        assert_eq!(queue.take().expect("work").job, "a3");
    }

    #[test]
    fn a_single_thread_continues_work() {
        let mut queue = queue(1);
        queue.add(account("a"), "scan".to_owned(), false);
        let Turn { job, ticket } = queue.take().expect("work");
        queue.put_back(job, ticket);
        assert_eq!(queue.take().expect("work").job, "scan");
    }
}
