// Weir beside nginx-rtmp and node-media-server, one core for the server and one for the load, interleaved:
//   npm run bench                  everything, as the table of docs/benchmarks.md; with `-- --quick` only to see that it works
//   npm run bench -- TEST OPTIONS  one of flv rtmp hls startup latency slow fanin idle, with options of loadgen/run.mjs:
//                                  npm run bench -- rtmp --n 1000 --rounds 3
//   npm run bench -- viewers       what viewers see and hear; lines: on bad lines; glass: how late; see playback/main.ts
//   npm run bench -- compatibility which clients play and publish; see compatibility/main.ts
//   npm run bench -- soak          memory of a quiet product over an hour, with a bound; see soak/main.mjs
//   npm run bench -- ladder        a ladder beside a plain ffmpeg that does the same work; see ladder.ts
//   npm run bench -- rungs         what each quality of a ladder costs; see rungs.ts
//   npm run bench -- switches      100 changes of quality of a ladder in hls.js and in Shaka; see switches.ts
//   npm run bench -- tracks        two video and two audio tracks of a publisher in hls.js and Shaka; see tracks.ts
//   npm run bench -- layers        what layers of simulcast cost, and a viewer whose line is halved; see layers.ts
//   npm run bench -- ai            built-in AI: words, delays and what it costs; see ai/main.ts
// Needs a C compiler, ffmpeg and Debian's nginx with libnginx-mod-rtmp; installs node-media-server beside its results. With SRS_BINARY, a program of SRS
// takes part in single tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ensureConsole } from '../scripts/setup.mjs';
import { BenchResult } from './results.ts';
import { printTable } from './table.mjs';

const here = import.meta.dirname;
const work = join(here, '../.cache/bench');
const given = process.argv.slice(2);

function sh(file, args, cwd = work) {
  execFileSync(file, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

function makeMedia(name, { size, video, audio, seconds }) {
  const file = join(work, name);
  if (existsSync(file)) return;
  sh('ffmpeg', [
    '-hide_banner',
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${size}:rate=25`,
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:sample_rate=44100',
    '-t',
    String(seconds),
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-profile:v',
    'main',
    '-bf',
    '0',
    '-g',
    '50',
    '-keyint_min',
    '50',
    '-sc_threshold',
    '0',
    '-b:v',
    `${video}k`,
    '-minrate',
    `${video}k`,
    '-maxrate',
    `${video}k`,
    '-bufsize',
    `${video / 2}k`,
    '-x264-params',
    'nal-hrd=cbr',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-b:a',
    `${audio}k`,
    '-f',
    'flv',
    file,
  ]);
}

function prepare() {
  mkdirSync(join(work, 'nginx/logs'), { recursive: true });
  mkdirSync(join(work, 'nginx/hls'), { recursive: true });
  mkdirSync(join(work, 'nms'), { recursive: true });
  for (const name of ['lsb', 'floor']) sh('cc', ['-O2', '-o', join(work, name), join(here, `loadgen/${name}.c`)]);
  makeMedia('m1000.flv', { size: '1280x720', video: 900, audio: 96, seconds: 60 });
  makeMedia('m200.flv', { size: '320x180', video: 160, audio: 32, seconds: 60 });
  writeFileSync(join(work, 'nginx/nginx.conf'), nginxConfig);
  if (srs) {
    mkdirSync(join(work, 'srs'), { recursive: true });
    writeFileSync(join(work, 'srs/srs.conf'), srsConfig);
  }
  if (!existsSync(join(work, 'nms/node_modules/node-media-server'))) {
    writeFileSync(join(work, 'nms/package.json'), '{"private":true}');
    sh('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', 'node-media-server@4'], join(work, 'nms'));
  }
  writeFileSync(join(work, 'nms/start.mjs'), nmsStart);
}

const nginxConfig = `
load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
daemon off; worker_processes 1; pid logs/nginx.pid; error_log logs/error.log warn;
events { worker_connections 20000; }
rtmp { server { listen 19361; chunk_size 60000;
  application live { live on; }
  application hls { live on; hls on; hls_path hls; hls_fragment 2s; hls_playlist_length 16s; } } }
http { access_log off; sendfile on; keepalive_requests 100000;
  server { listen 18091; location /hls { root .; types { application/vnd.apple.mpegurl m3u8; video/mp2t ts; } } } }
`;

const nmsStart = `
import NodeMediaServer from 'node-media-server';
new NodeMediaServer({ bind: '127.0.0.1', rtmp: { port: 19371 }, http: { port: 18101 } }).run();
`;

const srsConfig = `
listen 19381; max_connections 10000; daemon off; srs_log_tank file; srs_log_file ./srs.log; srs_log_level warn; pid ./srs.pid;
http_server { enabled on; listen 18121; dir ./; }
vhost __defaultVhost__ { http_remux { enabled on; mount [vhost]/[app]/[stream].flv; } }
`;

const srs = process.env.SRS_BINARY;
const servers = [
  {
    name: 'nginx-rtmp',
    cwd: 'nginx',
    cmd: ['nginx', '-p', '.', '-c', 'nginx.conf'],
    rtmp: 'rtmp://127.0.0.1:19361/live/s0',
    hlsPub: 'rtmp://127.0.0.1:19361/hls/s0',
    hls: 'http://127.0.0.1:18091/hls/s0.m3u8',
  },
  {
    name: 'weir',
    cwd: '../..',
    cmd: [process.execPath, 'bench/weir.mjs'],
    ready: 'weir-ready',
    env: {
      MGMT_LISTEN: '28091',
      HTTPS_LISTEN: '28443',
      WEIR_RTMP_LISTEN: '29361',
      WEIR_SRT_LISTEN: '29080',
      WEIR_BENCH_READY: join(work, 'weir-ready'),
    },
    rtmp: 'rtmp://127.0.0.1:29361/live/s0',
    flv: 'http://127.0.0.1:28091/live/s0.flv',
    hls: 'http://127.0.0.1:28091/live/s0.m3u8',
  },
  {
    name: 'node-media-server',
    cwd: 'nms',
    cmd: [process.execPath, 'start.mjs'],
    rtmp: 'rtmp://127.0.0.1:19371/live/s0',
    flv: 'http://127.0.0.1:18101/live/s0.flv',
  },
  {
    // Sends the same windows and does nothing else: the cost of the system itself.
    name: 'floor',
    cmd: ['./floor', '--port', '18111', '--bps', '126000', '--file', 'm1000.flv'],
    tests: ['flv'],
    parse: 0,
    flv: 'http://127.0.0.1:18111/live/s0.flv',
  },
  ...(srs
    ? [
        {
          name: 'srs',
          cwd: 'srs',
          cmd: [srs, '-c', 'srs.conf'],
          rtmp: 'rtmp://127.0.0.1:19381/live/s0',
          flv: 'http://127.0.0.1:18121/live/s0.flv',
        },
      ]
    : []),
];

if (['ai', 'compatibility', 'dubbing'].includes(given[0])) {
  ensureConsole();
  const args = [join(here, given[0], 'main.ts'), ...given.slice(1)];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}
if (given[0] === 'ladder') {
  const args = [join(here, 'ladder.ts'), ...given.slice(1)];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}
if (['switches', 'layers', 'tracks', 'rungs'].includes(given[0])) {
  ensureConsole();
  const args = [join(here, `${given[0]}.ts`), ...given.slice(1)];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}
if (given[0] === 'soak') {
  ensureConsole();
  const args = [join(here, 'soak/main.mjs'), ...given.slice(1)];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}
if (['viewers', 'lines', 'glass'].includes(given[0])) {
  ensureConsole();
  const args = [join(here, 'playback/main.ts'), ...given];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
}
prepare();
const config = {
  serverCore: 0,
  loadCore: 1,
  lsb: './lsb',
  media: './m1000.flv',
  mediaSmall: './m200.flv',
  bytesPerSecond: 126000,
  servers,
};
writeFileSync(join(work, 'servers.json'), JSON.stringify(config, undefined, 2));
const call = [join(here, 'loadgen/run.mjs'), '--config', join(work, 'servers.json')];
const [test, ...options] = given;
if (test === undefined || test.startsWith('--')) {
  printTable({ call, work, isQuick: given.includes('--quick') });
} else {
  const out = join(work, 'results.jsonl');
  rmSync(out, { force: true });
  const args = [...call, '--out', out, '--test', test, ...options];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
  const result = new BenchResult(`media-${test}`);
  for (const row of existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n') : [])
    result.add(JSON.parse(row), '');
}
