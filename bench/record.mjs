// Records some streams for some minutes, and prints what the two planes take meanwhile: memory and open files must stay where they are.
// node bench/record.mjs [streams] [minutes]
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchResult } from './results.ts';

const [streams = 8, minutes = 10] = process.argv.slice(2).map(Number);
const everyMs = 15_000;
const password = 'benchmark';
const data = mkdtempSync(join(tmpdir(), 'weir-record-'));
const clip = join(data, 'clip.mp4');
const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-f', 'lavfi', '-i', 'sine'];
const codecs = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-g',
  '50',
  '-b:v',
  '1M',
  '-pix_fmt',
  'yuv420p',
  '-c:a',
  'aac',
];
execFileSync('ffmpeg', ['-v', 'error', ...picture, ...codecs, '-t', '20', clip]);

const ports = { MGMT_LISTEN: '127.0.0.1:0', HTTPS_LISTEN: '127.0.0.1:0', WEIR_RTMP_LISTEN: '127.0.0.1:0' };
const udp = { WEIR_SRT_LISTEN: '127.0.0.1:0', WEIR_RTC_LISTEN: '127.0.0.1:0' };
const weir = spawn(process.execPath, [join(import.meta.dirname, '../scripts/start.mjs')], {
  env: { PATH: process.env.PATH, ...ports, ...udp, WEIR_DATA: join(data, 'data'), MGMT_PASSWORD: password },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let said = '';
weir.stdout.on('data', (chunk) => {
  said += chunk;
});
const publishers = [];
const cleanUp = () => {
  for (const publisher of publishers) publisher.kill('SIGKILL');
  weir.kill('SIGTERM');
};
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack}\n`);
  cleanUp();
});
process.on('SIGINT', cleanUp);
process.on('SIGTERM', cleanUp);
weir.on('exit', () => {
  rmSync(data, { recursive: true, force: true });
  process.exit(0);
});

const serving = () =>
  said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .find(({ msg }) => msg === 'serving');
while (!serving()) await sleep(50);
const { httpPort, rtmpPort } = serving();
let bearer = '';
const post = async (path, body = {}) => {
  const headers = bearer === '' ? {} : { authorization: `Bearer ${bearer}` };
  const url = `http://127.0.0.1:${httpPort}/terraform/v1/${path}`;
  return (await (await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })).json()).data;
};
bearer = (await post('mgmt/login', { password })).bearer;
await post('hooks/srs/secret/disable', { pubNoAuth: true });
await post('mgmt/hlsll/update', { hlsLowLatency: true });
await post('hooks/record/apply', { all: true });
for (let index = 0; index < streams; index++) {
  const url = `rtmp://127.0.0.1:${rtmpPort}/live/stream-${index}`;
  const args = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'flv', url];
  publishers.push(spawn('ffmpeg', args, { stdio: 'ignore' }));
}

const planeOf = (name) =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .find((pid) => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return (
          Number(parent) === weir.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`apps/${name}/dist/main`)
        );
      } catch {
        return false;
      }
    });
const facts = (pid) => ({
  mb: Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024),
  files: readdirSync(`/proc/${pid}/fd`).length,
});
const [server, engine] = [planeOf('server'), planeOf('engine')];
const result = new BenchResult('record');
for (let elapsedMs = 0; elapsedMs <= minutes * 60_000; elapsedMs += everyMs) {
  const rows = (await post('hooks/record/files')) ?? [];
  const sum = (field) => rows.reduce((total, row) => total + row[field], 0);
  const [a, b] = [facts(server), facts(engine)];
  const spool = join(data, 'data', 'segments');
  const waiting = existsSync(spool) ? readdirSync(spool).length : 0;
  result.add({ seconds: elapsedMs / 1000, server: a, engine: b, segments: sum('nn'), lost: sum('lost'), waiting });
  await sleep(everyMs);
}
cleanUp();
