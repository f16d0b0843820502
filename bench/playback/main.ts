// Measures what viewers see and hear, in Chromium on our own pages, and with ffmpeg where there is no page:
//   npm run bench -- viewers   freezes, stalls, discarded and concealed sound and the tone, for every source and player
//   npm run bench -- lines     freezes on bad lines, for every protocol of publishers and viewers; `lines viewers half` runs one line of one side
//   npm run bench -- glass     delay from the source's picture to the player's, by a clock in the picture
// Each run is kept in bench/results/playback-PART.json. Options: `--out FILE` also adds the rows to a file with one JSON object a line, for
// comparisons, `--label before` names them; `--tree FOLDER` measures another checkout of the project, such as the one before a change;
// `--seconds N` watches longer. `node bench/playback/tables.ts bench/results/playback.jsonl` prints the tables of docs/benchmarks.md.
// Needs ffmpeg and Chromium. Run it on a machine without other work.
import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchResult, describeRun } from '../results.ts';
import { measureGlass } from './glass.ts';
import { measureLines } from './lines.ts';
import { measureViewers } from './viewers.ts';

const parts = { viewers: measureViewers, lines: measureLines, glass: measureGlass };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    label: { type: 'string', default: 'after' },
    tree: { type: 'string' },
    seconds: { type: 'string' },
  },
});
const [part = '', ...wanted] = positionals;
const measure = parts[part as keyof typeof parts];
if (!measure) throw new Error(`unknown: ${part}; known: ${Object.keys(parts).join(', ')}`);

const result = new BenchResult(`playback-${part}`, { tree: values.tree });
const { date, commit } = describeRun(values.tree);
const tell = (row: object) => {
  // Load of the machine: on a busy one players are late whatever the line.
  const load = Math.round(loadavg()[0] ?? 0);
  const whole = { test: part, label: values.label, ...row };
  result.add(whole);
  if (values.out) appendFileSync(values.out, `${JSON.stringify({ ...whole, load, date, commit })}\n`);
};
const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
await measure({ wanted, tell, tree: values.tree, seconds });
process.exit(0);
