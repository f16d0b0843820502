// The whole comparison as the table of docs/benchmarks.md. Runs one test after the other; within a test the servers take turns.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { BenchResult, describeRun } from './results.ts';

const servers = ['nginx-rtmp', 'node-media-server', 'weir'];
/** Sends the same windows and does nothing else. */
const floor = 'floor';

/** Each test: what run.mjs is asked, and with `--quick` the same with numbers that only show that it works. */
const plan = [
  { id: 'rtmp', test: 'rtmp', n: 1000, rounds: 3, quick: 20 },
  { id: 'flv', test: 'flv', n: 1000, rounds: 3, quick: 20 },
  { id: 'held', test: 'flv', n: 7500, rounds: 1, only: 'weir', quick: 50 },
  { id: 'few', test: 'latency', kind: 'flv', n: 50, rounds: 2, quick: 5 },
  { id: 'fewRtmp', test: 'latency', kind: 'rtmp', n: 50, rounds: 2, quick: 5 },
  { id: 'joinFlv', test: 'startup', kind: 'flv', n: 200, rounds: 2, quick: 10 },
  { id: 'joinRtmp', test: 'startup', kind: 'rtmp', n: 200, rounds: 2, quick: 10 },
  { id: 'hls', test: 'hls', n: 2000, rounds: 2, quick: 20 },
  { id: 'fanin', test: 'fanin', n: 300, rounds: 2, quick: 5 },
];

/** Lines of the table: what, which figure of which test in which words, and the goal it is judged by. */
const lines = [
  {
    what: ({ rtmp }) => `RTMP, ${count(rtmp)} viewers, CPU s/GB`,
    from: 'rtmp',
    figure: (row) => `${number(perGb(row), 2)} at p50 ${number(row.lat_ms?.p50, 0)} ms`,
    ratio: (all) => over(perGb(all.rtmp.weir), perGb(all.rtmp['nginx-rtmp'])),
    ofFloor: (all) => over(perGb(all.rtmp.weir), perGb(all.flv[floor])),
    goal: '≤ 0.6 ×, p50 ≤ 100 ms',
    reached: (all, ratio) => ratio <= 0.6 && all.rtmp.weir?.lat_ms?.p50 <= 100,
  },
  {
    what: ({ flv }) => `HTTP-FLV, ${count(flv)} viewers, CPU s/GB`,
    from: 'flv',
    figure: (row) => `${number(perGb(row), 2)} at p50 ${number(row.lat_ms?.p50, 0)} ms`,
    ratio: (all) => over(perGb(all.flv.weir), perGb(all.rtmp['nginx-rtmp'])),
    ofFloor: (all) => over(perGb(all.flv.weir), perGb(all.flv[floor])),
    ratioOf: "nginx's RTMP",
    goal: '≤ 0.8 ×, p50 ≤ 100 ms',
    reached: (all, ratio) => ratio <= 0.8 && all.flv.weir?.lat_ms?.p50 <= 100,
  },
  {
    what: ({ held }) => `HTTP-FLV, ${count(held)} viewers on one core`,
    from: 'held',
    figure: (row) => `${row.behind} behind, ${row.alive} of ${row.n} there, ${number(row.cpu_pct, 0)} % of the core`,
    goal: 'none behind',
    reached: ({ held }) => held.weir?.behind === 0 && held.weir.alive === held.weir.n,
  },
  {
    what: ({ few }) => `HTTP-FLV, ${count(few)} viewers, delay p50 / p99`,
    from: 'few',
    figure: (row) => times(row.lat_ms),
    goal: 'p50 ≤ 5 ms',
    reached: ({ few }) => few.weir?.lat_ms?.p50 <= 5,
  },
  {
    what: ({ fewRtmp }) => `RTMP, ${count(fewRtmp)} viewers, delay p50 / p99`,
    from: 'fewRtmp',
    figure: (row) => times(row.lat_ms),
    goal: 'p50 ≤ 5 ms',
    reached: ({ fewRtmp }) => fewRtmp.weir?.lat_ms?.p50 <= 5,
  },
  {
    what: () => 'join to first keyframe, FLV p50 / p99',
    from: 'joinFlv',
    figure: (row) => times(row.first_key_ms),
    goal: 'p99 ≤ 20 ms',
    reached: ({ joinFlv }) => joinFlv.weir?.first_key_ms?.p99 <= 20,
  },
  {
    what: () => 'join to first keyframe, RTMP p50 / p99',
    from: 'joinRtmp',
    figure: (row) => times(row.first_key_ms),
    goal: 'p99 ≤ 30 ms',
    reached: ({ joinRtmp }) => joinRtmp.weir?.first_key_ms?.p99 <= 30,
  },
  {
    what: () => 'memory per viewer, RTMP',
    from: 'rtmp',
    figure: (row) => `${number(row.rss_kb_per_player, 0)} KB`,
    goal: '≤ 30 KB',
    reached: ({ rtmp }) => rtmp.weir?.rss_kb_per_player <= 30,
  },
  {
    what: () => 'memory per viewer, HTTP-FLV',
    from: 'flv',
    figure: (row) => `${number(row.rss_kb_per_player, 0)} KB`,
    goal: '≤ 30 KB',
    reached: ({ flv }) => flv.weir?.rss_kb_per_player <= 30,
  },
  {
    what: ({ hls }) => `HLS, ${count(hls)} viewers, CPU s/GB`,
    from: 'hls',
    figure: (row) => number(perGb(row), 2),
    ratio: (all) => over(perGb(all.hls.weir), perGb(all.hls['nginx-rtmp'])),
    goal: '≤ 1.15 ×',
    reached: (_all, ratio) => ratio <= 1.15,
  },
  {
    what: ({ fanin }) => `${count(fanin)} publishers × 200 kbit/s, of one core`,
    from: 'fanin',
    figure: (row) => `${number(row.cpu_pct, 0)} %`,
    goal: '≤ 30 %',
    reached: ({ fanin }) => fanin.weir?.cpu_pct <= 30,
  },
  {
    what: () => 'warm start to first page',
    from: 'start',
    figure: ({ startMs }) => `${number(startMs, 0)} ms`,
    goal: '≤ 2 s',
    reached: ({ start }) => start.weir?.startMs <= 2000,
  },
  {
    what: () => 'idle memory, all processes',
    from: 'start',
    figure: ({ rssMb, pssMb }) => `${rssMb} MB resident, ${pssMb} MB without counting shared pages twice`,
    goal: '≤ 200 MB',
    reached: ({ start }) => start.weir?.rssMb <= 200,
  },
];

/** Runs everything and prints the table. `call` is how run.mjs is started, up to its own options. */
export function printTable({ call, work, isQuick }) {
  const results = {};
  for (const part of plan) {
    const out = join(work, `table-${part.id}.jsonl`);
    rmSync(out, { force: true });
    const options = ['--test', part.test, '--n', String(isQuick ? part.quick : part.n), '--out', out];
    options.push('--rounds', String(isQuick ? 1 : part.rounds));
    if (part.kind) options.push('--kind', part.kind);
    if (part.only) options.push('--only', part.only);
    if (isQuick) options.push('--time', '3', '--settle', '1');
    spawnSync(process.execPath, [...call, ...options], { stdio: ['ignore', 'inherit', 'inherit'] });
    results[part.id] = mediansOf(rowsIn(out));
  }
  results.start = { weir: medianOf(startsOf()) };
  const table = `\n${tableOf(results, describeSetup(work), isQuick)}`;
  const { nginx, nodeMediaServer } = versionsIn(work);
  new BenchResult('media', { isQuick }).add({ nginx, nodeMediaServer, medians: results }, table);
}

/** Results of `npm run bench:start` in numbers. */
function startsOf() {
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'start.mjs')], { encoding: 'utf8' });
  return [...stdout.matchAll(/after (\d+) ms.*: (\d+) MB resident \((\d+) MB/g)].map(([, startMs, rssMb, pssMb]) => ({
    startMs: Number(startMs),
    rssMb: Number(rssMb),
    pssMb: Number(pssMb),
  }));
}

function rowsIn(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map(JSON.parse);
}

/** By server, one row whose every figure is the median of the rounds. */
function mediansOf(rows) {
  const isUsable = ({ failed, skipped, alive }) => !failed && !skipped && alive !== 0;
  const named = [...servers, floor].map((name) => [name, rows.filter((row) => row.server === name && isUsable(row))]);
  return Object.fromEntries(named.filter(([, own]) => own.length > 0).map(([name, own]) => [name, medianOf(own)]));
}

function medianOf(values) {
  const [first] = values;
  if (typeof first === 'number') {
    const sorted = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
    return sorted[(sorted.length - 1) >> 1];
  }
  if (typeof first !== 'object' || first === null) return first;
  const present = values.filter((value) => typeof value === 'object' && value !== null);
  return Object.fromEntries(Object.keys(first).map((key) => [key, medianOf(present.map((value) => value[key]))]));
}

function tableOf(results, machine, isQuick) {
  const head = ['what', 'nginx-rtmp', 'node-media-server', 'Weir', 'of the floor', 'goal', 'reached'];
  const body = lines.map((line) => {
    const own = results[line.from] ?? {};
    const ratio = line.ratio?.(results);
    const cells = servers.map((name) => (own[name] ? line.figure(own[name]) : '–'));
    if (ratio !== undefined && own.weir) cells[2] += ` (${number(ratio, 2)} × ${line.ratioOf ?? 'nginx'})`;
    const verdict = !line.reached
      ? ''
      : own.weir === undefined
        ? 'not measured'
        : line.reached(results, ratio)
          ? 'yes'
          : 'no';
    const ofFloor = line.ofFloor ? number(line.ofFloor(results), 2) : '–';
    return [line.what(results), ...cells, ofFloor, line.goal, verdict];
  });
  const rows = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`);
  const note = isQuick ? ['A quick run, which only shows that everything works: its figures mean nothing.', ''] : [];
  return [...note, machine, '', ...rows].join('\n');
}

function versionsIn(work) {
  const { stderr = '' } = spawnSync('nginx', ['-v'], { encoding: 'utf8' });
  const manifest = join(work, 'nms/node_modules/node-media-server/package.json');
  return {
    nginx: /nginx\/(\S+)/.exec(stderr)?.[1] ?? 'unknown',
    nodeMediaServer: existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : 'unknown',
  };
}

function describeSetup(work) {
  const { date, commit, machine } = describeRun();
  const { nginx, nodeMediaServer } = versionsIn(work);
  return [
    `Run of ${date.slice(0, 10)} at ${commit}: ${machine.cores} × ${machine.cpu} (${machine.arch}), ${machine.memoryGb} GB,`,
    `Linux ${machine.kernel}, loopback, Node ${machine.node}, nginx ${nginx}, node-media-server ${nodeMediaServer}.`,
    'One core for the server, one for the load. Weir is all its processes together.',
  ].join(' ');
}

function perGb(row) {
  return row?.cpu_per_gb_all ?? row?.cpu_per_gb;
}

function over(value, reference) {
  return value === undefined || !(reference > 0) ? Number.NaN : value / reference;
}

function count(rows) {
  const n = Object.values(rows ?? {})[0]?.n;
  return n === undefined ? '?' : n.toLocaleString('en');
}

function times(values) {
  return `${number(values?.p50, 1)} / ${number(values?.p99, 1)} ms`;
}

function number(value, digits) {
  return typeof value === 'number' && Number.isFinite(value) ? value.toFixed(digits) : '–';
}
