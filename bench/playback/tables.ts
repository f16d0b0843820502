// Prints tables of results, those of the label `before` first: node bench/playback/tables.ts FILE
import { readFileSync } from 'node:fs';

/** A line of the results; which fields there are depends on the test. */
interface Row {
  readonly test: 'viewers' | 'lines' | 'glass';
  readonly label: string;
  readonly source: string;
  readonly player: string;
  readonly side: string;
  readonly line: string;
  readonly protocol: string;
  readonly freezes: number;
  readonly frozenMs: number;
  readonly frozenSeconds: number;
  readonly discarded?: number;
  readonly concealed?: number;
  readonly toneFaults: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly rowOf: (row: Row) => string;
  readonly columnOf: (row: Row) => string;
  readonly cellOf: (row: Row) => string;
}

const frozen = (count: number, seconds: number) => (count === 0 ? '0' : `${count} × ${seconds.toFixed(1)} s`);

function viewerCell({ freezes, frozenMs, discarded, concealed, toneFaults }: Row): string {
  const sound = discarded === undefined ? '' : `, ${discarded} / ${concealed} %`;
  return `${frozen(freezes, frozenMs / 1000)}${sound}, ${toneFaults}`;
}

/** The newest result for each cell, `before → after` where both are there. */
function print({ title, rows, rowOf, columnOf, cellOf }: Table): void {
  if (rows.length === 0) return;
  const columns = [...new Set(rows.map(columnOf))];
  console.log(`\n${title}\n\n| | ${columns.join(' | ')} |\n|---|${columns.map(() => '---|').join('')}`);
  for (const name of new Set(rows.map(rowOf))) {
    const cells = columns.map((column) => {
      const here = rows.filter((row) => rowOf(row) === name && columnOf(row) === column);
      const newest = ['before', 'after'].flatMap((label) => here.findLast((row) => row.label === label) ?? []);
      return newest.map(cellOf).join(' → ') || '–';
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

const [file = ''] = process.argv.slice(2);
const results = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Row);
const of = (test: Row['test'], side?: string) =>
  results.filter((row) => row.test === test && (side === undefined || row.side === side));

print({
  title: 'Freezes × seconds frozen, discarded / concealed sound of WebRTC, faults of the tone in 20 s',
  rows: of('viewers'),
  rowOf: ({ source }) => source,
  columnOf: ({ player }) => player,
  cellOf: viewerCell,
});
for (const side of ['publishers', 'viewers'])
  print({
    title: `Freezes × seconds frozen of 20 s, ${side} on the line`,
    rows: of('lines', side),
    rowOf: ({ line }) => line,
    columnOf: ({ protocol }) => protocol,
    cellOf: ({ freezes, frozenSeconds }) => frozen(freezes, frozenSeconds),
  });
print({
  title: 'Glass to glass, p50 / p95 in ms',
  rows: of('glass'),
  rowOf: ({ source }) => source,
  columnOf: ({ player }) => player,
  cellOf: ({ p50Ms, p95Ms }) => `${p50Ms} / ${p95Ms}`,
});
