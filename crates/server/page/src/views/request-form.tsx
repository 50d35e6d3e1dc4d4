// Builds the address of a view's rows, asks for them and shows the answer.

import { useState } from "preact/hooks";
import { FORMATS } from "../api/client.ts";
import type { MaterializedView } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { Address, AnswerShown, useAnswer } from "../parts/answer.tsx";
import { Icon } from "../parts/icon.tsx";
import { emptyRequest, type Filter, isNullTest, operatorsOf, type Request, requestPath, valueHint } from "./filters.ts";

export function RequestForm({ view }: { view: MaterializedView }) {
  const { client, workspace } = usePlace();
  const [request, setRequest] = useState(() => emptyRequest(view));
  const { answer, fault, isBusy, ask } = useAnswer(client);
  const path = requestPath(workspace.sqlName, view, request);
  const change = (part: Partial<Request>) => setRequest({ ...request, ...part });
  return (
    <form class="request" aria-label="Read the view" onSubmit={(event) => { event.preventDefault(); void ask(path); }}>
      <fieldset class="filters">
        <legend class="field-label">Filters</legend>
        {request.filters.map((filter, index) => (
          <FilterRow
            key={index}
            view={view}
            filter={filter}
            onChange={(changed) => change({ filters: request.filters.map((old, at) => (at === index ? changed : old)) })}
            onRemove={() => change({ filters: request.filters.filter((_, at) => at !== index) })}
          />
        ))}
        <button
          type="button"
          class="button small"
          onClick={() =>
            change({
              filters: [...request.filters, { column: view.columns[0]?.name ?? "", operator: "EQ", value: "", isRequired: false }],
            })
          }
        >
          <Icon name="plus" />Add a filter
        </button>
      </fieldset>
      <fieldset class="chips">
        <legend class="field-label">Columns <span class="hint">(none chosen: all)</span></legend>
        {view.columns.map(({ name }) => (
          <label class="chip" key={name}>
            <input
              type="checkbox"
              checked={request.columnNames.includes(name)}
              onChange={(event) => {
                const isOn = event.currentTarget.checked;
                const names = view.columns.map((column) => column.name);
                change({ columnNames: names.filter((known) => (known === name ? isOn : request.columnNames.includes(known))) });
              }}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <div class="request-row">
        <label class="field"><span class="field-label">Limit</span>
          <input name="limit" inputMode="numeric" pattern="\d*" placeholder="all" value={request.limit} onInput={(event) => change({ limit: event.currentTarget.value.trim() })} />
        </label>
        <label class="field"><span class="field-label">Offset</span>
          <input name="offset" inputMode="numeric" pattern="\d*" placeholder="0" value={request.offset} onInput={(event) => change({ offset: event.currentTarget.value.trim() })} />
        </label>
        <label class="field"><span class="field-label">Format</span>
          <select name="format" value={request.format} onChange={(event) => change({ format: event.currentTarget.value })}>
            {FORMATS.map((format) => <option key={format} value={format}>{format}</option>)}
          </select>
        </label>
        <button type="submit" class="button primary" disabled={isBusy}>{isBusy ? "Reading…" : "Read"}</button>
      </div>
      <Address path={path} />
      {fault && <p class="field-fault" role="alert">{fault}</p>}
      {answer && <AnswerShown answer={answer} />}
    </form>
  );
}

function FilterRow({ view, filter, onChange, onRemove }: {
  view: MaterializedView;
  filter: Filter;
  onChange: (filter: Filter) => void;
  onRemove: () => void;
}) {
  const type = view.columns.find((column) => column.name === filter.column)?.type ?? "varchar";
  const fixesOperator = view.requiredFilters.includes(`${filter.column}:${filter.operator}`);
  return (
    <div class="filter" data-required={filter.isRequired}>
      <select
        aria-label="Column"
        value={filter.column}
        disabled={filter.isRequired}
        onChange={(event) => onChange({ ...filter, column: event.currentTarget.value, operator: "EQ" })}
      >
        {view.columns.map(({ name }) => <option key={name} value={name}>{name}</option>)}
      </select>
      <select
        aria-label={`Operator for ${filter.column}`}
        value={filter.operator}
        disabled={filter.isRequired && fixesOperator}
        onChange={(event) => {
          const operator = event.currentTarget.value;
          onChange({ ...filter, operator, value: isNullTest(operator) ? "null" : filter.value === "null" ? "" : filter.value });
        }}
      >
        {operatorsOf(type).map((operator) => <option key={operator} value={operator}>{operator}</option>)}
      </select>
      <input
        aria-label={`Value for ${filter.column}`}
        placeholder={`${valueHint(filter.operator)} (${type})`}
        required={filter.isRequired}
        value={filter.value}
        onInput={(event) => onChange({ ...filter, value: event.currentTarget.value })}
      />
      {filter.isRequired ? (
        <span class="tag" data-tone="warn">required</span>
      ) : (
        <button type="button" class="button icon-only quiet" aria-label={`Remove the filter on ${filter.column}`} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
