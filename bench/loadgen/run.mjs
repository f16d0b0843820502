#!/usr/bin/env node
// Interleaved comparison of media servers with lsb. No dependencies; see README.md.
//   node run.mjs --config servers.json --test flv --n 100,500,1000 --rounds 2 [--only srs,ours] [--out results.jsonl]
// Tests: flv rtmp hls (players), startup (first keyframe), slow (readers that stop), fanin (publishers), idle
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const arg = (name, def) => {
  const i = process.argv.indexOf(`--${name}`);
  return i < 0 ? def : process.argv[i + 1];
};
const flag = (name) => process.argv.includes(`--${name}`);
const configPath = resolve(arg('config', 'servers.json'));
const config = JSON.parse(readFileSync(configPath, 'utf8'));
const base = dirname(configPath);
const test = arg('test', 'flv');
const ns = arg('n', '500').split(',').map(Number);
const rounds = Number(arg('rounds', '1'));
const only = arg('only', '');
const seconds = arg('time', '20');
const settle = arg('settle', '6');
const ramp = arg('ramp', '500');
const out = resolve(arg('out', 'results.jsonl'));
const serverCore = String(arg('core', config.serverCore ?? 0));
const loadCore = String(arg('lcore', config.loadCore ?? 1));
const nice = String(arg('nice', config.nice ?? 0));
const lsb = resolve(base, config.lsb ?? `${here}/lsb`);
const media = resolve(base, arg('media', config.media));
const mediaSmall = resolve(base, config.mediaSmall ?? config.media);
const bps = String(arg('bps', config.bytesPerSecond ?? 0));
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

const pinned = (core, cmd) => ['nice', ['-n', nice, 'taskset', '-c', core, ...cmd]];

function descendants(root) {
  const kids = new Map();
  for (const d of readdirSync('/proc')) {
    if (!/^\d+$/.test(d)) continue;
    try {
      const s = readFileSync(`/proc/${d}/stat`, 'utf8');
      const ppid = Number(s.slice(s.lastIndexOf(')') + 2).split(' ')[1]);
      if (!kids.has(ppid)) kids.set(ppid, []);
      kids.get(ppid).push(Number(d));
    } catch {}
  }
  const all = [];
  const walk = (p) => {
    all.push(p);
    (kids.get(p) ?? []).forEach(walk);
  };
  walk(root);
  return all;
}

// the kernel thread that finishes loopback receive work on the server's core when it is busy
const ksoftirqd = (() => {
  for (const d of readdirSync('/proc')) {
    if (!/^\d+$/.test(d)) continue;
    try {
      if (readFileSync(`/proc/${d}/comm`, 'utf8').trim() === `ksoftirqd/${serverCore}`) return Number(d);
    } catch {}
  }
  return 0;
})();

const portOpen = (host, port) =>
  new Promise((ok) => {
    const s = net.connect(port, host, () => {
      s.destroy();
      ok(true);
    });
    s.on('error', () => ok(false));
  });

async function startServer(s) {
  if (s.pid) return { pids: descendants(s.pid), stop: async () => {}, upMs: null }; // already running, not ours to stop
  const u = new URL((s.rtmp ?? s.flv).replace('rtmp:', 'http:').replace('{i}', '0'));
  // Another server on that port would be measured instead.
  if (await portOpen(u.hostname, Number(u.port || 1935))) throw new Error(`the port of ${s.name} is taken`);
  const t0 = performance.now();
  const readyFile = s.ready && resolve(base, s.ready);
  if (readyFile) rmSync(readyFile, { force: true });
  const [c, a] = pinned(serverCore, s.cmd);
  const p = spawn(c, a, {
    cwd: resolve(base, s.cwd ?? '.'),
    env: { ...process.env, BENCH_TEST: test, ...s.env },
    stdio: 'ignore',
    detached: true,
  });
  for (let i = 0; i < 2000; i++) {
    if (await portOpen(u.hostname, Number(u.port || 1935))) break;
    if (p.exitCode !== null) throw new Error(`${s.name} exited with ${p.exitCode}`);
    await sleep(5);
  }
  const upMs = performance.now() - t0;
  // A server that must be set up first says by a file that it takes publishers.
  for (let i = 0; readyFile && !existsSync(readyFile); i++) {
    if (i > 600 || p.exitCode !== null) throw new Error(`${s.name} is not ready`);
    await sleep(50);
  }
  await sleep(1500);
  const stop = async () => {
    for (const sig of ['SIGTERM', 'SIGKILL']) {
      try {
        process.kill(-p.pid, sig);
      } catch {}
      for (let i = 0; i < 30 && p.exitCode === null && p.signalCode === null; i++) await sleep(100);
      if (p.exitCode !== null || p.signalCode !== null) break;
    }
    await sleep(500);
  };
  return { pids: descendants(p.pid), stop, upMs };
}

function runLsb(args, core = loadCore) {
  const [c, a] = pinned(core, [lsb, ...args]);
  const p = spawn(c, a, { stdio: ['ignore', 'pipe', flag('verbose') || test === 'slow' ? 'inherit' : 'ignore'] });
  let text = '';
  p.stdout.on('data', (d) => (text += d));
  const done = new Promise((ok) =>
    p.on('exit', () => {
      try {
        ok(JSON.parse(text.trim().split('\n').pop()));
      } catch {
        ok({ failed: true, text });
      }
    }),
  );
  return { p, done };
}

async function one(s, n, round) {
  const srv = await startServer(s);
  const row = { server: s.name, test, n, round, at: new Date().toISOString(), up_ms: srv.upMs };
  try {
    const pub = s[`${test}Pub`] ?? s.rtmp;
    const common = [
      '--pid',
      srv.pids.join(','),
      '--kpid',
      String(ksoftirqd),
      '--core',
      serverCore,
      '--lcore',
      loadCore,
      '--label',
      s.name,
    ];
    if (test === 'idle') {
      await sleep(3000);
      const kb = srv.pids.map((p) => {
        try {
          return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${p}/status`, 'utf8'))?.[1] ?? 0);
        } catch {
          return 0;
        }
      });
      return { ...row, rss_mb_idle: kb.reduce((a, b) => a + b, 0) / 1024, processes: kb.length };
    }
    if (test === 'fanin') {
      const r = runLsb([
        'pub',
        '--url',
        pub.replace(/s0$/, 's{i}'),
        '--file',
        mediaSmall,
        '--n',
        String(n),
        '--ramp',
        '100',
        '--settle',
        settle,
        '--time',
        seconds,
        '--quiet',
        ...common,
      ]);
      return { ...row, ...(await r.done) };
    }
    // The floor needs no publisher.
    const p =
      pub &&
      runLsb([
        'pub',
        '--url',
        pub.replace('{i}', '0'),
        '--file',
        media,
        '--settle',
        '0',
        '--time',
        '100000',
        '--quiet',
      ]);
    await sleep(Number(s.warmMs ?? (test === 'hls' ? 12000 : 3000)));
    const kind = ['startup', 'slow', 'latency'].includes(test) ? arg('kind', 'flv') : test;
    const url = kind === 'hls' ? s.hls : kind === 'rtmp' ? s.rtmp.replace('{i}', '0') : s.flv;
    if (!url) return { ...row, skipped: `no ${kind} url` };
    const extra = {
      startup: ['--parse', String(n), '--ramp', '20', '--settle', '1', '--time', '2'],
      latency: ['--parse', String(n), '--ramp', ramp, '--settle', settle, '--time', seconds],
      slow: [
        '--parse',
        String(n),
        '--slow',
        arg('slow', '20'),
        '--ramp',
        '100',
        '--settle',
        '3',
        '--time',
        seconds,
        '--rcvbuf',
        '65536',
      ],
    }[test] ?? [
      '--ramp',
      ramp,
      '--settle',
      settle,
      '--time',
      seconds,
      '--parse',
      String(s.parse ?? arg('parse', '50')),
    ];
    const r = runLsb([kind, '--url', url, '--n', String(n), '--bps', bps, ...extra, ...common]);
    const res = await r.done;
    p?.p.kill('SIGTERM');
    const pubres = await p?.done;
    return { ...row, ...res, pub_late_ms: pubres?.pub_late_ms };
  } finally {
    await srv.stop();
  }
}

const servers = config.servers.filter((s) => !only || only.split(',').includes(s.name));
const rows = [];
mkdirSync(dirname(out), { recursive: true });
for (const n of ns) {
  for (let round = 0; round < rounds; round++) {
    const k = round % servers.length;
    for (const s of [...servers.slice(k), ...servers.slice(0, k)]) {
      const need =
        test === 'hls'
          ? s.hls
          : test === 'flv'
            ? s.flv
            : ['startup', 'slow', 'latency'].includes(test)
              ? s[arg('kind', 'flv')]
              : s.rtmp;
      if (!need || (s.tests && !s.tests.includes(test))) continue;
      let row;
      try {
        row = await one(s, n, round);
      } catch (e) {
        row = { server: s.name, test, n, round, failed: String(e) };
      }
      rows.push(row);
      appendFileSync(out, `${JSON.stringify(row)}\n`);
      const f = (v, d = 2) => (v === undefined || v === null ? '-' : Number(v).toFixed(d));
      console.log(
        `${test} n=${n} r${round} ${s.name.padEnd(10)} cpu/GB=${f(row.cpu_per_gb)} +ksoft=${f(row.cpu_per_gb_all)} core/GB=${f(row.core_per_gb)} cpu%=${f(row.cpu_pct, 1)} core%=${f(row.core_busy_pct, 1)} load%=${f(row.load_core_pct, 0)} rss=${f(row.rss_mb, 0)}MB kb/pl=${f(row.rss_kb_per_player, 0)} alive=${row.alive ?? '-'} behind=${row.behind ?? '-'} stalls=${row.stalls ?? '-'} rate=${f(row.rate)} lat p50/p99=${f(row.lat_ms?.p50, 1)}/${f(row.lat_ms?.p99, 1)} key p50/p99=${f(row.first_key_ms?.p50, 1)}/${f(row.first_key_ms?.p99, 1)}${row.slow ? ` slow closed=${row.slow_closed}/${row.slow} rss=${row.slow_rss_mb} lag=${row.slow_resume_lag_ms}` : ''}${row.rss_mb_idle && test === 'idle' ? ` idle=${f(row.rss_mb_idle, 1)}MB up=${f(row.up_ms, 0)}ms` : ''}${row.failed ? ` FAILED ${row.failed}` : ''}`,
      );
    }
  }
}

// medians per (server, n), and the ratio to the first server
const med = (values) => {
  const sorted = values.filter((x) => typeof x === 'number').sort((x, y) => x - y);
  return sorted.length ? sorted[(sorted.length - 1) >> 1] : Number.NaN;
};
console.log(
  `\n| test | n | server | CPU s/GB | vs ${servers[0]?.name} | CPU % | behind | p50 ms | p99 ms | RSS KB/player |\n|---|---|---|---|---|---|---|---|---|---|`,
);
for (const n of ns) {
  const per = (r) => r.cpu_per_gb_all ?? r.cpu_per_gb;
  const ref = med(rows.filter((r) => r.n === n && r.server === servers[0]?.name).map(per));
  for (const s of servers) {
    const g = rows.filter((r) => r.n === n && r.server === s.name && !r.failed);
    if (!g.length) continue;
    const m = (k) => med(g.map(k));
    // Not every server speaks every protocol.
    const ratio = Number.isNaN(ref) ? '–' : (m(per) / ref).toFixed(2);
    console.log(
      `| ${test} | ${n} | ${s.name} | ${m(per).toFixed(2)} | ${ratio} | ${m((r) => r.cpu_pct).toFixed(1)} | ${m((r) => r.behind)} | ${m((r) => r.lat_ms?.p50)} | ${m((r) => r.lat_ms?.p99)} | ${m((r) => r.rss_kb_per_player).toFixed(0)} |`,
    );
  }
}
