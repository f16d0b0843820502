/** Relative luminance (WCAG 2.2). */
function luminance([red, green, blue]: Rgb): number {
  const part = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
}

type Rgb = readonly [number, number, number];

/** Contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const needed = 4.5;
/** Surfaces below coloured text with the least contrast. */
const surfaces = { light: '#f3f6f7', dark: '#1a2226' } as const;

/** Derives the colours of a page from the owner's, with readable text in both themes. */
export function accentColors(accent: string) {
  return {
    accent,
    // Black or white always has a contrast of 4.58 or more.
    onAccent: contrast(accent, '#ffffff') >= contrast(accent, '#000000') ? '#ffffff' : '#000000',
    textOnLight: mixUntilReadable(accent, '#000000', surfaces.light),
    textOnDark: mixUntilReadable(accent, '#ffffff', surfaces.dark),
  };
}

function mixUntilReadable(color: string, toward: string, surface: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, toward, share);
    if (contrast(mixed, surface) >= needed) return mixed;
  }
  return toward;
}

function mix(color: string, other: string, share: number): string {
  const [from, to] = [parse(color), parse(other)];
  const parts = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share));
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function parse(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
