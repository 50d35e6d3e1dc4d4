// Fields for the parameters that the text names.

import { type Kind, KINDS, kindOf, type Parameter, type Parameters } from "./parameters.ts";

const HINTS: Record<Kind, string> = {
  text: "value",
  number: "42 or 1.50",
  boolean: "true or false",
  date: "2026-01-31",
  timestamp: "2026-01-31 12:00:00",
  null: "NULL",
};

export function ParameterForm({ names, parameters, onChange, onRun }: {
  names: string[];
  parameters: Parameters;
  onChange: (parameters: Parameters) => void;
  onRun: () => void;
}) {
  if (names.length === 0) return null;
  return (
    <div class="parameters" role="group" aria-label="Parameters">
      {names.map((name) => {
        const parameter: Parameter = parameters[name] ?? { text: "" };
        const kind = kindOf(parameter);
        const change = (part: Partial<Parameter>) => onChange({ ...parameters, [name]: { ...parameter, ...part } });
        return (
          <span class="parameter" key={name}>
            <code>:{name}</code>
            <select
              aria-label={`Type of ${name}`}
              value={kind}
              onChange={(event) => change({ kind: event.currentTarget.value as Kind })}
            >
              {KINDS.map((known) => <option key={known} value={known}>{known}</option>)}
            </select>
            <input
              aria-label={`Value of ${name}`}
              placeholder={HINTS[kind]}
              disabled={kind === "null"}
              value={kind === "null" ? "" : parameter.text}
              onInput={(event) => change({ text: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key === "Enter") onRun();
              }}
            />
          </span>
        );
      })}
    </div>
  );
}
