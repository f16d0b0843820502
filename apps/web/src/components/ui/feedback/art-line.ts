/** Pen of the drawings in empty lists. */
export const artLine = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;
export const artAccent = 'var(--mantine-primary-color-filled)';
export const artPaper = 'var(--weir-surface)';
