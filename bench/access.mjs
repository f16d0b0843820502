// Measures the cost of play access rules in the engine: `node bench/access.mjs [rounds] [viewers]`. Rounds without rules, with a rule for another
// stream and with signed links follow each other, so that other work of the machine meets all three. CPU is that of the engine's threads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from './product.mjs';
import { BenchResult } from './results.ts';

const numbers = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const [rounds = 10, viewers = 100] = numbers.map(Number);
const roundMs = 1500;
const joinMs = 700;
/** Two groups of pictures, so that every round has the same part of keyframes. */
const flvMs = 4000;
const connections = 20;
const [http, rtmp] = [22_322, 22_335];
const { origin, call, signIn, stop } = startProduct('access', { http, rtmp });

/** Nanoseconds of CPU that the threads of a process have had. */
function cpuOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    const [ns = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(ns);
  }, 0);
}

/** Viewers over HTTP-FLV who come, watch and throw away; CPU for each of them who joins, and then for each megabyte that they get. */
async function flvRound(enginePid, query) {
  const first = cpuOf(enginePid);
  let bytes = 0;
  const sockets = Array.from({ length: viewers }, () => {
    const socket = connect(http, '127.0.0.1', () => {
      socket.write(`GET /live/show.flv${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    });
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    return socket.on('error', () => undefined);
  });
  await sleep(joinMs);
  const before = cpuOf(enginePid);
  bytes = 0;
  await sleep(flvMs);
  const perMegabyte = (cpuOf(enginePid) - before) / (bytes / 1e6) / 1000;
  for (const socket of sockets) socket.destroy();
  await sleep(200);
  return { join: (before - first) / viewers / 1000, perMegabyte };
}

/** Connections that ask for the playlist and its newest segment in turns; CPU for each request. */
async function hlsRound(enginePid, query) {
  const master = await (await fetch(`${origin}/live/show.m3u8${query}`)).text();
  const variant = master.split('\n').find((line) => line.includes('.m3u8')) ?? `/live/show.m3u8${query}`;
  const playlistPath = new URL(variant, `${origin}/live/`);
  const path = playlistPath.pathname + playlistPath.search;
  const before = cpuOf(enginePid);
  let requests = 0;
  const endMs = performance.now() + roundMs;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const line = await Keepalive.open();
      while (performance.now() < endMs) {
        const text = (await line.get(path)).toString();
        const pieces = text.split('\n').filter((uri) => uri !== '' && !uri.startsWith('#'));
        const piece = new URL(pieces.at(-1) ?? '', `${origin}/live/`);
        await line.get(piece.pathname + piece.search);
        requests += 2;
      }
      line.close();
    }),
  );
  return (cpuOf(enginePid) - before) / requests / 1000;
}

/** One connection with one request at a time; Node's own client would be most of the work. */
class Keepalive {
  static async open() {
    const line = new Keepalive();
    line.socket = connect(http, '127.0.0.1');
    await once(line.socket, 'connect');
    line.socket.on('data', (chunk) => line.take(chunk));
    line.chunks = [];
    line.size = 0;
    line.length = -1;
    return line;
  }

  get(path) {
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  take(chunk) {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.length < 0) {
      const head = Buffer.concat(this.chunks);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      if (!text.startsWith('HTTP/1.1 200')) this.reject(new Error(text.split('\r\n')[0]));
      this.begin = end + 4;
      this.length = this.begin + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    }
    if (this.size < this.length) return;
    const body = Buffer.concat(this.chunks).subarray(this.begin, this.length);
    this.chunks = [];
    this.size = 0;
    this.length = -1;
    this.resolve(body);
  }

  close() {
    this.socket.destroy();
  }
}

const modes = ['none', 'open', 'signed'];
const units = { 'flv join': 'µs a viewer', flv: 'µs a megabyte', hls: 'µs a request' };

/** Sets the rules of a round, and returns what its viewers show. */
async function setMode(mode) {
  const { rules } = await call('mgmt/access/query');
  for (const { id } of rules) await call('mgmt/access/remove', { id });
  if (mode === 'none') return '';
  await call('mgmt/access/update', { pattern: mode === 'open' ? '/live/other' : '/live/show', mode: 'link' });
  if (mode === 'open') return '';
  const expiresAt = new Date(Date.now() + 3600_000).toISOString();
  const { token } = await call('mgmt/access/link', { app: 'live', stream: 'show', expiresAt });
  return `?token=${token}`;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function main() {
  await signIn();
  await call('mgmt/hlsll/update', { hlsLowLatency: true });
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-f', 'lavfi', '-i', 'sine=sample_rate=44100'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-b:v', '1M', '-c:a', 'aac'];
  const target = ['-f', 'flv', `rtmp://127.0.0.1:${rtmp}/live/show`];
  const publisher = spawn('ffmpeg', ['-v', 'error', '-re', ...source, ...codecs, ...target], { stdio: 'ignore' });
  try {
    while ((await fetch(`${origin}/live/show.m3u8`)).status !== 200) await sleep(200);
    await sleep(6000);
    const { planes } = await call('mgmt/components/query');
    const enginePid = planes.find(({ name }) => name === 'engine').pid;
    const measured = Object.fromEntries(
      Object.keys(units).map((what) => [what, Object.fromEntries(modes.map((mode) => [mode, []]))]),
    );
    for (let round = 0; round < rounds; round++) {
      // Another mode begins each round.
      for (const mode of modes.map((_, place) => modes[(place + round) % modes.length])) {
        const query = await setMode(mode);
        const { join, perMegabyte } = await flvRound(enginePid, query);
        measured['flv join'][mode].push(join);
        measured.flv[mode].push(perMegabyte);
        measured.hls[mode].push(await hlsRound(enginePid, query));
      }
    }
    return Object.entries(measured).flatMap(([protocol, byMode]) =>
      modes.map((mode) => {
        const value = median(byMode[mode]);
        const ratio = value / median(byMode.none);
        return { protocol, mode, cpuUs: Number(value.toFixed(2)), percent: Number((100 * (ratio - 1)).toFixed(1)) };
      }),
    );
  } finally {
    publisher.kill('SIGKILL');
  }
}

try {
  const rows = await main();
  console.log('| protocol | rules | CPU | against none |\n|---|---|---|---|');
  for (const { protocol, mode, cpuUs, percent } of rows) {
    console.log(`| ${protocol} | ${mode} | ${cpuUs} ${units[protocol]} | ${percent > 0 ? '+' : ''}${percent} % |`);
  }
  const result = new BenchResult('access', { isQuick: process.argv.includes('--quick') });
  for (const row of rows) result.add(row, '');
} finally {
  await stop();
}
