// A moment in a narrow place: its date and its time stay in one piece each.

import { formatTime } from "../format.ts";

export function Moment({ at }: { at: string }) {
  return <>{formatTime(at).split(" ").map((part) => [<span class="unbroken" key={part}>{part}</span>, " "])}</>;
}
