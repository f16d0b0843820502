// HTTP-FLV and HLS over HTTPS beside nginx with TLS, in one run: `node bench/tls.mjs [--n 200] [--seconds 8] [--rounds 3]`.
// The servers are on one core, the viewers on the other. nginx serves the same segment and playlist as files, and is a proxy with TLS before Weir's plain HTTP-FLV. Weir's
// figures hold what it does without viewers: measured first, as a share of the core.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuSeconds, familyOf, pinned } from './family.ts';
import { BenchResult } from './results.ts';

const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
  },
});
const here = import.meta.dirname;
const media = join(here, '../.cache/bench/m1000.flv');
const ports = { MGMT_LISTEN: '28291', HTTPS_LISTEN: '28643', WEIR_RTMP_LISTEN: '29561', WEIR_SRT_LISTEN: '29280' };
const nginxPort = 28743;
const work = mkdtempSync(join(tmpdir(), 'weir-tls-'));

const children = [];
const start = (core, args, options = { stdio: 'ignore' }) => {
  const child = pinned(core, args, options);
  children.push(child);
  return child;
};

async function until(condition) {
  const deadline = Date.now() + 60_000;
  while (!(await condition().catch(() => false))) {
    if (Date.now() > deadline) throw new Error('not within 60 s');
    await sleep(200);
  }
}

function writeNginx() {
  const pair = `${work}/pair`;
  const config = `
    user root; daemon off; worker_processes 1; pid ${work}/pid; error_log ${work}/error.log;
    events { worker_connections 4096; }
    http {
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
      proxy_temp_path ${work}/p; client_body_temp_path ${work}/b; fastcgi_temp_path ${work}/f; uwsgi_temp_path ${work}/u; scgi_temp_path ${work}/s;
      server {
        listen 127.0.0.1:${nginxPort} ssl;
        ssl_certificate ${pair}.crt; ssl_certificate_key ${pair}.key; ssl_protocols TLSv1.2 TLSv1.3;
        location ~ ^/(segment.ts|playlist.m3u8)$ { root ${work}; }
        location / { proxy_pass http://127.0.0.1:${ports.MGMT_LISTEN}; proxy_http_version 1.1; proxy_buffering off; }
      }
    }`;
  writeFileSync(join(work, 'nginx.conf'), config);
}

const result = new BenchResult('tls');

/** CPU seconds of each of the given processes while a program of viewers counts, and what it counted. */
async function measure(servers, script, ...args) {
  const viewers = start(1, [process.execPath, join(here, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: viewers.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const before = servers.map((pid) => cpuSeconds(familyOf(pid)));
  const counted = JSON.parse((await lines.next()).value);
  const seconds = servers.map((pid, index) => cpuSeconds(familyOf(pid)) - before[index]);
  await once(viewers, 'exit');
  return { seconds, ...counted };
}

async function watch(name, url, n, servers) {
  const { seconds, bytes, failed } = await measure(servers, 'tls/viewers.mjs', url, String(n), values.seconds);
  const cpuSecondsPerGb = seconds.map((value) => Number((value / (bytes / 1e9)).toFixed(2)));
  result.add({ test: name, viewers: n, cpuSecondsPerGb, megabytes: Math.round(bytes / 1e6), failed });
}

async function come(name, url, server, ...again) {
  const { seconds, joined, failed } = await measure([server], 'tls/joins.mjs', url, values.seconds, ...again);
  const cpuUs = Math.round((seconds[0] / joined) * 1e6);
  result.add({ test: `${name} joins ${again}`.trim(), cpuUs, joined, failed });
}

const weir = start(0, [process.execPath, join(here, 'weir.mjs')], {
  env: { ...process.env, ...ports, BENCH_TEST: 'hls' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  const plain = `http://127.0.0.1:${ports.MGMT_LISTEN}/live/s0`;
  await until(async () => (await fetch(`http://127.0.0.1:${ports.MGMT_LISTEN}/terraform/v1/mgmt/check`)).ok);
  await sleep(1500);
  const rtmp = `rtmp://127.0.0.1:${ports.WEIR_RTMP_LISTEN}/live/s0`;
  start(1, ['ffmpeg', '-v', 'error', '-re', '-stream_loop', '-1', '-i', media, '-c', 'copy', '-f', 'flv', rtmp]);
  let playlist = '';
  const segments = () => playlist.split('\n').filter((line) => line.endsWith('.ts'));
  await until(async () => {
    playlist = await (await fetch(`${plain}.m3u8`)).text();
    return segments().length > 1;
  });
  writeFileSync(
    join(work, 'segment.ts'),
    Buffer.from(await (await fetch(new URL(segments()[0], plain))).arrayBuffer()),
  );
  writeFileSync(join(work, 'playlist.m3u8'), playlist);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${work}/pair.key`];
  const made = start(1, [
    'openssl',
    'req',
    '-x509',
    ...key,
    '-out',
    `${work}/pair.crt`,
    '-days',
    '2',
    '-subj',
    '/CN=x',
  ]);
  await once(made, 'exit');
  writeNginx();
  const nginx = start(0, ['nginx', '-p', work, '-c', join(work, 'nginx.conf')]);
  await sleep(1000);
  const before = cpuSeconds(familyOf(weir.pid));
  await sleep(5000);
  const share = (cpuSeconds(familyOf(weir.pid)) - before) / 5;
  result.add({ test: 'weir, no viewers', cpuPercent: Number((share * 100).toFixed(1)) });
  const secure = `https://127.0.0.1:${ports.HTTPS_LISTEN}/live`;
  const proxied = `https://127.0.0.1:${nginxPort}`;
  for (let round = 0; round < Number(values.rounds); round++) {
    playlist = await (await fetch(`${plain}.m3u8`)).text();
    await watch('hls weir', `${secure}/${segments().at(-1)}`, 16, [weir.pid]);
    await watch('hls nginx', `${proxied}/segment.ts`, 16, [nginx.pid]);
    await watch('flv weir', `${secure}/s0.flv`, Number(values.n), [weir.pid]);
    await watch('flv nginx + weir', `${proxied}/live/s0.flv`, Number(values.n), [nginx.pid, weir.pid]);
    for (const again of [[], ['again']]) {
      await come('weir', `${secure}/s0.m3u8`, weir.pid, ...again);
      await come('nginx', `${proxied}/playlist.m3u8`, nginx.pid, ...again);
    }
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await once(weir, 'exit');
  rmSync(work, { recursive: true, force: true });
}
