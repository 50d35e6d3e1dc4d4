// A form that calls an endpoint: a field for each parameter that it declares, and the answer.

import { useState } from "preact/hooks";
import type { EndpointParameter, SavedSql } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { Address, AnswerShown, useAnswer } from "../parts/answer.tsx";
import { useLoaded } from "../parts/load.ts";
import { Fault, Waiting } from "../parts/notice.tsx";
import { callPath, hintOf, isList, parametersOf } from "./endpoint-request.ts";

export function EndpointForm({ saved, sqlName }: { saved: SavedSql; sqlName: string }) {
  const { client, workspace } = usePlace();
  const { data, error, reload } = useLoaded(`${saved.id} ${saved.sql}`, () => client.dataDocument(workspace.sqlName));
  const [values, setValues] = useState<Record<string, string>>({ limit: "20" });
  const { answer, fault, isBusy, ask } = useAnswer(client);
  if (error !== null) return <Fault error={error} onRetry={reload} />;
  if (data === null) return <Waiting what="Reading the endpoint's parameters" />;
  const parameters = parametersOf(data, sqlName);
  const path = callPath(workspace.sqlName, sqlName, parameters, values);
  return (
    <form class="request" aria-label="Call the endpoint" onSubmit={(event) => { event.preventDefault(); void ask(path); }}>
      <div class="request-row">
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] ?? ""}
            onChange={(value) => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
        <button type="submit" class="button primary" disabled={isBusy}>{isBusy ? "Calling…" : "Call"}</button>
      </div>
      <Address path={path} />
      {fault && <p class="field-fault" role="alert">{fault}</p>}
      {answer && <AnswerShown answer={answer} />}
    </form>
  );
}

function ParameterField({ parameter, value, onChange }: {
  parameter: EndpointParameter;
  value: string;
  onChange: (value: string) => void;
}) {
  const { name, required, description, schema } = parameter;
  const choices = isList(schema) ? undefined : schema.enum;
  return (
    <label class="field" title={description}>
      <span class="field-label">{name}{required && <span class="tag" data-tone="warn">required</span>}</span>
      {choices ? (
        <select name={name} aria-label={name} required={required} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{schema.default === undefined ? "—" : `${String(schema.default)} (default)`}</option>
          {choices.map((choice) => <option key={String(choice)} value={String(choice)}>{String(choice)}</option>)}
        </select>
      ) : (
        <input
          name={name}
          aria-label={name}
          required={required}
          placeholder={hintOf(parameter)}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </label>
  );
}
