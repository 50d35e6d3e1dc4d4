// Draws series with uPlot, in the page's colors, anew when the place or the theme changes.

import uPlot from "uplot";
import type { Kind, Series } from "./chart-choice.ts";

const SERIES_COLORS = 6;
const LEGEND_PIXELS = 34;
const MIN_PIXELS = 140;

/** Draws into a place; the answer takes the drawing away. */
export function draw(place: HTMLElement, series: Series, labels: string[], xLabel: string, kind: Kind): () => void {
  let plot: uPlot | null = null;
  const redraw = () => {
    plot?.destroy();
    plot = new uPlot(optionsOf(place, series, labels, xLabel, kind), [series.x, ...series.ys], place);
  };
  const resize = new ResizeObserver(() => plot?.setSize(sizeOf(place)));
  const dark = matchMedia("(prefers-color-scheme: dark)");
  redraw();
  resize.observe(place);
  dark.addEventListener("change", redraw);
  window.addEventListener("themechange", redraw);
  return () => {
    resize.disconnect();
    dark.removeEventListener("change", redraw);
    window.removeEventListener("themechange", redraw);
    plot?.destroy();
  };
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: place.clientWidth, height: Math.max(MIN_PIXELS, place.clientHeight - LEGEND_PIXELS) };
}

function optionsOf(place: HTMLElement, series: Series, labels: string[], xLabel: string, kind: Kind): uPlot.Options {
  const style = getComputedStyle(place);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: color("--muted"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { stroke: color("--line"), width: 1 },
    font: `11px ${color("--sans")}`,
  };
  const isNamed = series.axis === "name";
  return {
    ...sizeOf(place),
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    cursor: { drag: { x: true, y: false } },
    scales: {
      x: { time: series.axis === "time", ...(isNamed || kind === "bar" ? { range: widened } : {}) },
      y: kind === "bar" ? { range: fromZero } : {},
    },
    axes: [
      { ...axis, ...(isNamed ? namedAxis(series.names) : {}) },
      { ...axis, size: 64, values: (_, ticks) => ticks.map(shortNumber) },
    ],
    series: [
      { label: xLabel, ...(isNamed ? { value: (_, at) => series.names[at] ?? "" } : {}) },
      ...labels.map((label, index) => seriesOptions(label, index, labels.length, kind, color)),
    ],
  };
}

/** Bars stand on zero: one that begins elsewhere tells nothing by its length. */
function fromZero(_: uPlot, min: number, max: number): [number, number] {
  const [low, high] = [Math.min(0, min ?? 0), Math.max(0, max ?? 0)];
  const room = (high - low || 1) * 0.06;
  return [low < 0 ? low - room : 0, high > 0 ? high + room : 0.1];
}

/** Room for half a bar at both ends. */
function widened(_: uPlot, min: number, max: number): [number, number] {
  return min === max ? [min - 1, max + 1] : [min - 0.6 * stepOf(min, max), max + 0.6 * stepOf(min, max)];
}

const stepOf = (min: number, max: number) => Math.min(1, (max - min) / 2);

function namedAxis(names: string[]): Partial<uPlot.Axis> {
  const longest = Math.max(...names.map((name) => name.length), 1);
  return {
    space: Math.min(140, longest * 6.5 + 16),
    // Ticks at the names alone, as many as there is room for.
    splits: (plot, _, min, max) => {
      const room = Math.max(1, Math.floor(plot.width / (Math.min(20, longest) * 6.5 + 16)));
      const every = Math.max(1, Math.ceil((max - min) / room));
      const ticks = [];
      for (let at = 0; at < names.length; at += every) if (at >= min && at <= max) ticks.push(at);
      return ticks;
    },
    values: (_, ticks) => ticks.map((at) => shortened(names[at] ?? "")),
  };
}

const shortened = (name: string) => (name.length > 20 ? `${name.slice(0, 19)}…` : name);

function seriesOptions(label: string, index: number, count: number, kind: Kind, color: (name: string) => string): uPlot.Series {
  const stroke = color(`--series-${(index % SERIES_COLORS) + 1}`);
  const value = (_: uPlot, number: number | null) => (number === null ? "–" : exactNumber.format(number));
  if (kind === "scatter") {
    return { label, value, stroke, paths: () => null, points: { show: true, size: 6, stroke, fill: `${stroke}99` } };
  }
  if (kind === "bar") {
    const share = 0.7 / count;
    return {
      label,
      value,
      stroke,
      fill: `${stroke}cc`,
      points: { show: false },
      paths: groupedBars(share, index, count),
    };
  }
  return { label, value, stroke, width: 1.75, points: { size: 5, stroke, fill: stroke } };
}

/** Bars of several series side by side. */
function groupedBars(share: number, index: number, count: number): uPlot.Series.PathBuilder {
  return (plot, seriesIndex, from, to) => {
    const values = plot.data[0];
    const [first = 0, second = 1] = values;
    const step = values.length > 1 ? Math.abs(plot.valToPos(second, "x", true) - plot.valToPos(first, "x", true)) : plot.bbox.width / 3;
    const width = Math.max(1, step * share);
    const center = (index - (count - 1) / 2) * width;
    const fill = new Path2D();
    const data = plot.data[seriesIndex] ?? [];
    const ground = plot.valToPos(0, "y", true);
    for (let at = from; at <= to; at += 1) {
      const value = data[at];
      const x = values[at];
      if (value === null || value === undefined || x === undefined) continue;
      const middle = plot.valToPos(x, "x", true) + center;
      const top = plot.valToPos(value, "y", true);
      fill.rect(middle - width / 2, Math.min(top, ground), width * 0.94, Math.abs(ground - top));
    }
    return { stroke: fill, fill };
  };
}

const exactNumber = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });
const compactNumber = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 2 });

const shortNumber = (value: number) => (Math.abs(value) >= 10_000 ? compactNumber : exactNumber).format(value);
