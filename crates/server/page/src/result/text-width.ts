// How wide texts are, without laying them out. The fonts are those of style/grid.css.

const variable = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const CELL_FONT = "12.5px --sans";
export const NAME_FONT = "600 12.5px --sans";
export const TYPE_FONT = "11px --mono";

let context: CanvasRenderingContext2D | null | undefined;
const fonts = new Map<string, string>();

/** Pixels of a text in one of the fonts. */
export function textWidth(text: string, font: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return text.length * 8;
  let resolved = fonts.get(font);
  if (resolved === undefined) {
    resolved = font.replace(/--\w+/, variable);
    fonts.set(font, resolved);
  }
  context.font = resolved;
  return context.measureText(text).width;
}
