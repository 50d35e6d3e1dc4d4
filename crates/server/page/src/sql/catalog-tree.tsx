// The catalog as a tree: schemas, their tables, their columns. A click on a name puts it into the editor.

import { useMemo, useState } from "preact/hooks";
import type { Catalog, CatalogTable } from "../api/types.ts";
import { formatCount } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { Empty, Fault, Waiting } from "../parts/notice.tsx";
import { identifier } from "./dialect.ts";

interface Properties {
  catalog: Catalog | null;
  error: unknown;
  onReload: () => void;
  onInsert: (text: string) => void;
}

export function CatalogTree({ catalog, error, onReload, onInsert }: Properties) {
  const [wanted, setWanted] = useState("");
  const groups = useMemo(() => (catalog ? grouped(catalog, wanted) : []), [catalog, wanted]);
  return (
    <aside class="catalog" aria-label="Catalog">
      <div class="catalog-head">
        <input
          type="search"
          placeholder="Find a table or column"
          aria-label="Find a table or column"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        <button type="button" class="button icon-only quiet" aria-label="Read the catalog again" title="Read the catalog again" onClick={onReload}>
          <Icon name="refresh" />
        </button>
      </div>
      <div class="catalog-list">
        {error !== null && <Fault error={error} onRetry={onReload} />}
        {catalog === null && error === null && <Waiting what="Reading the catalog" />}
        {catalog && groups.length === 0 && (
          <Empty title={wanted ? "Nothing of this name" : "No tables"}>
            {!wanted && catalog.defaultCatalog === null && "The tables of a Trino cluster: SHOW TABLES lists them."}
          </Empty>
        )}
        {groups.map(({ title, tables }) => (
          <details key={title} class="tree-schema" open={wanted !== "" || isOwn(catalog, title)}>
            <summary><Icon name="chevron" />{title}<span class="count">{tables.length}</span></summary>
            {tables.map((table) => (
              <TableNode key={table.name} table={table} name={reference(catalog, table)} onInsert={onInsert} isOpen={wanted !== "" && hasColumn(table, wanted)} />
            ))}
          </details>
        ))}
      </div>
    </aside>
  );
}

function TableNode({ table, name, isOpen, onInsert }: {
  table: CatalogTable;
  name: string;
  isOpen: boolean;
  onInsert: (text: string) => void;
}) {
  const isView = table.kind === "MATERIALIZED_VIEW";
  return (
    <details class="tree-table" open={isOpen}>
      <summary>
        <Icon name={isView ? "view" : "table"} />
        <span class="tree-name" title={name}>{table.name}</span>
        {table.rowCount !== undefined && <span class="count" title="Rows">{formatCount(table.rowCount)}</span>}
        <button
          type="button"
          class="button icon-only quiet tree-insert"
          aria-label={`Insert ${name}`}
          title={`Insert ${name}`}
          onClick={(event) => { event.preventDefault(); onInsert(name); }}
        >
          <Icon name="plus" />
        </button>
      </summary>
      <ul class="tree-columns">
        {table.columns.map((column) => (
          <li key={column.name}>
            <button type="button" onClick={() => onInsert(identifier(column.name))} title={`Insert ${column.name}`}>
              <span class="tree-name">{column.name}</span>
              <span class="type">{column.type}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

const hasColumn = (table: CatalogTable, wanted: string) =>
  table.columns.some((column) => column.name.includes(wanted.toLowerCase()));

const schemaTitle = (table: CatalogTable) => `${table.catalog}.${table.schema}`;

const isOwn = (catalog: Catalog | null, title: string) =>
  catalog !== null && title === `${catalog.defaultCatalog}.${catalog.defaultSchema}`;

function grouped(catalog: Catalog, wanted: string): { title: string; tables: CatalogTable[] }[] {
  const found = catalog.tables.filter(
    (table) => `${schemaTitle(table)}.${table.name}`.includes(wanted.toLowerCase()) || hasColumn(table, wanted),
  );
  const groups = new Map<string, CatalogTable[]>();
  for (const table of found) groups.set(schemaTitle(table), [...(groups.get(schemaTitle(table)) ?? []), table]);
  return [...groups].map(([title, tables]) => ({ title, tables }));
}

/** The shortest name by which a statement finds the table. */
function reference(catalog: Catalog | null, table: CatalogTable): string {
  const path = isOwn(catalog, schemaTitle(table)) ? [table.name] : [table.catalog, table.schema, table.name];
  return path.map(identifier).join(".");
}
