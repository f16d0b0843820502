import { expect, it } from 'vitest';
import { accentColors, contrast } from './accent.ts';

it.each(['#ffff00', '#ffffff', '#000000', '#777777', '#f2c200', '#0000ff', '#10b981', '#e11d48'])(
  'texts on and in the colour %s are readable in both themes',
  (accent) => {
    const { onAccent, textOnLight, textOnDark } = accentColors(accent);
    expect(contrast(accent, onAccent)).toBeGreaterThanOrEqual(4.5);
    // The darkest and the lightest surfaces that links stand on.
    for (const surface of ['#f3f6f7', '#ffffff']) expect(contrast(textOnLight, surface)).toBeGreaterThanOrEqual(4.5);
    for (const surface of ['#12181b', '#1a2226']) expect(contrast(textOnDark, surface)).toBeGreaterThanOrEqual(4.5);
  },
);

it('a colour that is readable already is not changed', () => {
  expect(accentColors('#0e5c6d').textOnLight).toBe('#0e5c6d');
});
