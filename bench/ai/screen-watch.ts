import type { Page } from 'playwright-core';

/** Subtitles on a page with their times, on the clock shared by all processes. */
type Screens = readonly (readonly [atMs: number, text: string])[];

/** Runs in the page. */
const watch = `
  window.screens = [];
  let last = '';
  const look = () => {
    const text = [...document.querySelectorAll('[data-captions] p')].map(({ textContent }) => textContent).join(' ');
    if (text !== last) window.screens.push([performance.timeOrigin + performance.now(), text]);
    last = text;
    requestAnimationFrame(look);
  };
  look();
`;

export async function watchScreen(page: Page): Promise<() => Promise<Screens>> {
  await page.evaluate(`(() => {${watch}})()`);
  return () => page.evaluate<Screens>('window.screens');
}

/** Enough of a text to know its end by. */
const knownBy = 3;
/** A later text counts as not shown. */
const withinMs = 15_000;

/** When the end of a text that was said from then on stood on the screen first. */
export function firstShown(screens: Screens, text: string, fromMs: number): number | undefined {
  const end = wordsOf(text).slice(-knownBy).join(' ');
  const isThere = (shown: string) => ` ${wordsOf(shown).join(' ')} `.includes(` ${end} `);
  return screens.find(([atMs, shown]) => atMs >= fromMs && atMs < fromMs + withinMs && isThere(shown))?.[0];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9']+/g) ?? [];
}
