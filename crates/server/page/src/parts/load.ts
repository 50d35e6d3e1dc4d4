// Data that a component asks for when it appears, and again when asked.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export interface Loaded<T> {
  data: T | null;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
  /** Replaces the data with the content of an answer. */
  set: (data: T) => void;
}

/** Loads when `key` changes; an answer that comes after the next question is dropped. */
export function useLoaded<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ data: T | null; error: unknown; isLoading: boolean }>({
    data: null, error: null, isLoading: true,
  });
  const turn = useRef(0);
  const question = useRef(load);
  question.current = load;
  const reload = useCallback(() => {
    turn.current += 1;
    const mine = turn.current;
    setState((before) => ({ ...before, error: null, isLoading: true }));
    question.current().then(
      (data) => mine === turn.current && setState({ data, error: null, isLoading: false }),
      (error: unknown) => mine === turn.current && setState((before) => ({ ...before, error, isLoading: false })),
    );
  }, []);
  const set = useCallback((data: T) => {
    turn.current += 1;
    setState({ data, error: null, isLoading: false });
  }, []);
  useEffect(() => {
    setState({ data: null, error: null, isLoading: true });
    reload();
    return () => {
      turn.current += 1;
    };
  }, [key, reload]);
  return { ...state, reload, set };
}

/** Does something again and again while the page is in sight. */
export function useEvery(everyMillis: number, action: () => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && latest.current(), everyMillis);
    return () => clearInterval(timer);
  }, [everyMillis]);
}

/** The time, updated every so often. */
export function useNow(everyMillis: number, isOn = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isOn) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMillis);
    return () => clearInterval(timer);
  }, [everyMillis, isOn]);
  return now;
}
