import { readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './outcome.ts';

/** Results of one client. */
export interface Found {
  readonly side: 'player' | 'publisher';
  readonly client: string;
  /** Undefined where it is not installed. */
  readonly version: string | undefined;
  /** Day of the run. */
  readonly date: string;
  readonly outcomes: Readonly<Record<string, Outcome & { readonly verdict: string }>>;
}

const columns = {
  player: ['HTTP-FLV', 'HLS', 'LL-HLS', 'WHEP', 'RTMP', 'SRT'],
  publisher: ['RTMP', 'RTMP H.265', 'RTMP AV1', 'SRT', 'SRT H.265', 'WHIP'],
};

function table(side: Found['side'], found: readonly Found[]): string {
  const names = columns[side];
  const head = [`| ${side} | version | ${names.join(' | ')} |`, `|---|---|${names.map(() => '---|').join('')}`];
  const rows = found
    .filter((one) => one.side === side)
    .map(({ client, version, outcomes }) => {
      const cells = names.map((name) => outcomes[name]?.verdict ?? '–');
      return `| ${client} | ${version ?? 'not installed'} | ${cells.join(' | ')} |`;
    });
  return [...head, ...rows].join('\n');
}

/** Replaces the tables of a page, each between the marks that name it. */
export function writeTables(file: string, found: readonly Found[]): void {
  let page = readFileSync(file, 'utf8');
  for (const side of ['player', 'publisher'] as const) {
    const [begin, end] = [`<!-- ${side}s -->`, `<!-- /${side}s -->`];
    const [before, after] = [page.indexOf(begin), page.indexOf(end)];
    if (before === -1 || after === -1) throw new Error(`${file} has no place for ${side}s`);
    page = `${page.slice(0, before + begin.length)}\n${table(side, found)}\n${page.slice(after)}`;
  }
  writeFileSync(file, page);
}
