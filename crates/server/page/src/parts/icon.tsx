// Line icons on a grid of 16, drawn with the color of the text.

const PATHS = {
  play: "M4.5 2.8v10.4l8.5-5.2z",
  stop: "M4 4h8v8H4z",
  sun: "M8 5a3 3 0 100 6 3 3 0 000-6zM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8L13 13M3 13l1.2-1.2M11.8 4.2L13 3",
  share: "M11.5 5.5a2 2 0 100-4 2 2 0 000 4zM4.5 10a2 2 0 100-4 2 2 0 000 4zM11.5 14.5a2 2 0 100-4 2 2 0 000 4zM6.3 7.1l3.4-2.2M6.3 8.9l3.4 2.2",
  user: "M8 8a3 3 0 100-6 3 3 0 000 6zM2.5 14c.6-2.7 2.8-4 5.5-4s4.900 1.300 5.500 4",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  download: "M8 2v8M4.800 7L8 10.200 11.200 7M2.500 13.500h11",
  refresh: "M13 8a5 5 0 11-1.500-3.600M13 1.800v3h-3",
  plus: "M8 3v10M3 8h10",
  close: "M3.500 3.500l9 9M12.500 3.500l-9 9",
  chevron: "M5.500 3.500L10.500 8l-5 4.500",
  table: "M2 3h12v10H2zM2 6.500h12M6 6.500V13",
  view: "M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8zM8 10a2 2 0 100-4 2 2 0 000 4z",
  sidebar: "M2 3h12v10H2zM6 3v10",
  save: "M3 2.500h8l2.500 2.500v8.500H2.500v-11zM5 2.500v3.500h5v-3.500M5 13.500V9h6v4.500",
  clock: "M8 14A6 6 0 108 2a6 6 0 000 12zM8 4.800V8l2.200 1.500",
  warning: "M8 2L14.500 13.500h-13zM8 6.500v3.200M8 11.600v.2",
  trash: "M2.500 4.500h11M6 4.500v-2h4v2M4 4.500l.7 9h6.600l.7-9",
  edit: "M2.500 13.500l.8-3.200 7.400-7.400 2.400 2.400-7.400 7.400z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, filled = false }: { name: IconName; filled?: boolean }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" data-filled={filled}>
      <path d={PATHS[name]} />
    </svg>
  );
}
