// Descriptions: text in which `code` stands between backticks.

export function Prose({ text }: { text: string }) {
  const pieces = text.split("`");
  return <span>{pieces.map((piece, at) => (at % 2 === 1 ? <code>{piece}</code> : piece))}</span>;
}
