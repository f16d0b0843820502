// HTTP-FLV and HLS over HTTPS beside nginx with TLS, in one run: `node bench/tls.mjs [--n 200] [--seconds 8] [--rounds 3]`.
// The servers are on one core, the viewers on the other. nginx serves the same segment as a file, and is a proxy with TLS before Weir's plain HTTP-FLV.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuSeconds, familyOf, pinned } from './family.mjs';

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
        location = /segment.ts { root ${work}; }
        location / { proxy_pass http://127.0.0.1:${ports.MGMT_LISTEN}; proxy_http_version 1.1; proxy_buffering off; }
      }
    }`;
  writeFileSync(join(work, 'nginx.conf'), config);
}

/** CPU seconds per gigabyte of each of the given processes, while viewers take from a URL. */
async function measure(url, n, servers) {
  const viewers = start(1, [process.execPath, join(here, 'tls-viewers.mjs'), url, String(n), values.seconds], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: viewers.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const before = servers.map((pid) => cpuSeconds(familyOf(pid)));
  const { bytes, failed } = JSON.parse((await lines.next()).value);
  const perGb = servers.map((pid, index) => (cpuSeconds(familyOf(pid)) - before[index]) / (bytes / 1e9));
  await once(viewers, 'exit');
  return { perGb, megabytes: Math.round(bytes / 1e6), failed };
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
  const secure = `https://127.0.0.1:${ports.HTTPS_LISTEN}/live`;
  const proxied = `https://127.0.0.1:${nginxPort}`;
  for (let round = 0; round < Number(values.rounds); round++) {
    playlist = await (await fetch(`${plain}.m3u8`)).text();
    const own = await measure(`${secure}/${segments().at(-1)}`, 16, [weir.pid]);
    const file = await measure(`${proxied}/segment.ts`, 16, [nginx.pid]);
    const flv = await measure(`${secure}/s0.flv`, Number(values.n), [weir.pid]);
    const relay = await measure(`${proxied}/live/s0.flv`, Number(values.n), [nginx.pid, weir.pid]);
    for (const [name, row] of Object.entries({
      'hls weir': own,
      'hls nginx': file,
      'flv weir': flv,
      'flv nginx + weir': relay,
    }))
      console.log(
        name.padEnd(18),
        row.perGb.map((value) => value.toFixed(2)).join(' + '),
        `CPU s/GB, ${row.megabytes} MB, ${row.failed} failed`,
      );
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await once(weir, 'exit');
  rmSync(work, { recursive: true, force: true });
}
