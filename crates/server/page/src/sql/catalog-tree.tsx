// The catalog as a tree: schemas, their tables, their columns. A click on a name puts it into the editor.

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Catalog, CatalogTable } from "../api/types.ts";
import { formatCount } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { Empty, Fault, Waiting } from "../parts/notice.tsx";
import { identifier } from "./dialect.ts";
import { isView } from "./names.ts";
import { isKnown, type Place, type Places } from "./places.ts";

interface Properties {
  places: Places;
  onInsert: (text: string) => void;
}

export function CatalogTree({ places, onInsert }: Properties) {
  const { catalog, error, reload } = places;
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
        <button type="button" class="button icon-only quiet" aria-label="Read the catalog again" title="Read the catalog again" onClick={reload}>
          <Icon name="refresh" />
        </button>
      </div>
      <div class="catalog-list">
        {error !== null && <Fault error={error} onRetry={reload} />}
        {catalog === null && error === null && <Waiting what="Reading the catalog" />}
        {catalog && groups.length === 0 && <Empty title={wanted ? "Nothing of this name" : "No tables"} />}
        {catalog && groups.map(({ place, tables }) => (
          <PlaceNode
            key={titleOf(place)}
            place={place}
            count={tables.length > 0 || isKnown(catalog, place) ? tables.length : undefined}
            isOpen={(wanted !== "" && tables.length > 0) || isOwn(catalog, place)}
            places={places}
          >
            {tables.map((table) => (
              <TableNode key={table.name} table={table} name={reference(catalog, table)} onInsert={onInsert} isOpen={wanted !== "" && hasColumn(table, wanted)} />
            ))}
          </PlaceNode>
        ))}
        {catalog?.truncated && <p class="waiting">The cluster has more than is shown here.</p>}
      </div>
    </aside>
  );
}

/** A schema with its tables, or a catalog whose schemas are not known; it is read when it is opened. */
function PlaceNode({ place, count, isOpen, places, children }: {
  place: Place;
  count: number | undefined;
  isOpen: boolean;
  places: Places;
  children: ComponentChildren;
}) {
  const [isReading, setReading] = useState(false);
  const fault = places.faultOf(place);
  const read = () => {
    setReading(true);
    void places.open(place).then(() => setReading(false));
  };
  return (
    <details class="tree-schema" open={isOpen} onToggle={(event) => event.currentTarget.open && read()}>
      <summary>
        <Icon name="chevron" />
        {titleOf(place)}
        {count !== undefined && <span class="count">{count}</span>}
      </summary>
      {fault !== null && <Fault error={fault} onRetry={read} />}
      {isReading && fault === null && <Waiting what="Reading" />}
      {children}
    </details>
  );
}

function TableNode({ table, name, isOpen, onInsert }: {
  table: CatalogTable;
  name: string;
  isOpen: boolean;
  onInsert: (text: string) => void;
}) {
  return (
    <details class="tree-table" open={isOpen}>
      <summary>
        <Icon name={isView(table) ? "view" : "table"} />
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

const titleOf = ({ catalog, schema }: Place) => (schema === undefined ? catalog : `${catalog}.${schema}`);

const isOwn = (catalog: Catalog, place: Place) =>
  place.catalog === catalog.defaultCatalog && place.schema === catalog.defaultSchema;

/** Schemas with the tables that are known of them, and catalogs whose schemas are not known. */
function grouped(catalog: Catalog, wanted: string): { place: Place; tables: CatalogTable[] }[] {
  const text = wanted.toLowerCase();
  const groups = new Map<string, { place: Place; tables: CatalogTable[] }>();
  for (const home of catalog.catalogs) {
    if (!isKnown(catalog, { catalog: home })) groups.set(home, { place: { catalog: home }, tables: [] });
    for (const { catalog: owner, name } of catalog.schemas) {
      if (owner !== home) continue;
      const place = { catalog: home, schema: name };
      groups.set(titleOf(place), { place, tables: [] });
    }
  }
  for (const table of catalog.tables) {
    const title = titleOf(table);
    if (`${title}.${table.name}`.toLowerCase().includes(text) || hasColumn(table, wanted)) groups.get(title)?.tables.push(table);
  }
  return [...groups.values()].filter(
    ({ place, tables }) => tables.length > 0 || titleOf(place).toLowerCase().includes(text),
  );
}

/** The shortest name by which a statement finds the table. */
function reference(catalog: Catalog, table: CatalogTable): string {
  const path = isOwn(catalog, table) ? [table.name] : [table.catalog, table.schema, table.name];
  return path.map(identifier).join(".");
}
