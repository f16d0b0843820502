// What viewers see and hear, in Chromium on our own pages, and ffmpeg where there is no page:
//   npm run bench -- viewers   freezes, stalls, discarded and concealed sound and the tone, for every source and player
//   npm run bench -- lines     freezes on bad lines, for every protocol of publishers and viewers; `lines viewers half` runs one line of one side
//   npm run bench -- glass     delay from the source's picture to the player's, by a clock in the picture
// Options: `--out FILE` adds the results to a file of JSON, one object a line, `--label before` names them; `--tree FOLDER` measures
// another checkout of the project, such as the one before a change; `--seconds N` watches longer.
// `node bench/playback/tables.ts FILE` prints the tables of such a file, as docs/benchmarks.md has them.
// Needs ffmpeg and Chromium. Run it on a machine without other work.
import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
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

const tell = (row: object) => {
  // Load of the machine: on a busy one players are late whatever the line.
  const line = JSON.stringify({ test: part, label: values.label, ...row, load: Math.round(loadavg()[0] ?? 0) });
  console.log(line);
  if (values.out) appendFileSync(values.out, `${line}\n`);
};
const seconds = values.seconds === undefined ? undefined : Number(values.seconds);
await measure({ wanted, tell, tree: values.tree, seconds });
process.exit(0);
