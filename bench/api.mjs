// Measures the latency and rate of calls of the control API, through the front door as clients call it: `npm run
// bench:api`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureConsole, ensurePlanes } from '../scripts/setup.mjs';
import { BenchResult } from './results.ts';

const port = 22022;
const path = '/terraform/v1/mgmt/streams/query';
const warmUpMs = 3000;
const roundMs = 5000;
const connections = 16;
/** Clock ticks per second in Linux's process times. */
const ticks = 100;

/** Kept connection that calls again after each answer. Bare sockets keep the cost of measuring low. */
function callUntil(deadlineMs, request) {
  return new Promise((resolve, reject) => {
    const times = [];
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let sentMs = 0;
    const send = () => {
      sentMs = performance.now();
      socket.write(request);
    };
    socket.setNoDelay(true).setEncoding('latin1').on('connect', send).on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk;
      const head = text.indexOf('\r\n\r\n');
      if (head < 0 || text.length < head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1])) return;
      if (!text.startsWith('HTTP/1.1 200')) reject(new Error(text));
      text = '';
      times.push(performance.now() - sentMs);
      if (performance.now() < deadlineMs) send();
      else {
        socket.destroy();
        resolve(times);
      }
    });
  });
}

const callFor = async (ms, request, count) =>
  (await Promise.all(Array.from({ length: count }, () => callUntil(performance.now() + ms, request)))).flat();

const cpuSeconds = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
};

function planesOf(launcher) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const isChild = (pid) => {
    try {
      return new RegExp(`^PPid:\\s+${launcher}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };
  const commandOf = (pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  const children = pids.filter(isChild);
  return ['engine', 'server'].map((name) => ({
    name,
    pid: children.find((pid) => commandOf(pid).includes(`/${name}/`)),
  }));
}

const post = async (where, body, headers = {}) => {
  const answer = await fetch(`http://127.0.0.1:${port}/terraform/v1/mgmt/${where}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers,
  });
  return (await answer.json()).data;
};

const requestWith = (credential) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${credential}\r\nContent-Length: 2\r\n\r\n{}`;

async function measure(planes, request) {
  const alone = (await callFor(roundMs, request, 1)).sort((a, b) => a - b);
  const before = planes.map(({ pid }) => cpuSeconds(pid));
  const many = await callFor(roundMs, request, connections);
  const cpuUs = planes.map(({ name, pid }, index) => [
    name,
    Math.round(((cpuSeconds(pid) - before[index]) / many.length) * 1e6),
  ]);
  const at = (share) => Number(alone[Math.floor(alone.length * share)].toFixed(2));
  const callsPerSecond = Math.round(many.length / (roundMs / 1000));
  return { p50Ms: at(0.5), p99Ms: at(0.99), connections, callsPerSecond, cpuUs: Object.fromEntries(cpuUs) };
}

ensureConsole();
ensurePlanes();
const data = mkdtempSync(join(tmpdir(), 'weir-bench-'));
const env = {
  ...process.env,
  WEIR_DATA: data,
  MGMT_LISTEN: `127.0.0.1:${port}`,
  HTTPS_LISTEN: '127.0.0.1:0',
  WEIR_RTMP_LISTEN: '127.0.0.1:0',
  WEIR_SRT_LISTEN: '127.0.0.1:0',
  WEIR_RTC_LISTEN: '127.0.0.1:0',
  MGMT_PASSWORD: 'a password to measure with',
};
const weir = spawn(process.execPath, [join(import.meta.dirname, '../scripts/start.mjs')], { env, stdio: 'ignore' });
try {
  while (
    !(await post('check', {}).then(
      (data) => data.init === true,
      () => false,
    ))
  )
    await sleep(20);
  const { bearer } = await post('login', { password: env.MGMT_PASSWORD });
  const secret = await post('secret/query', {}, { Authorization: `Bearer ${bearer}` });
  const planes = planesOf(weir.pid);
  const requests = [bearer, secret].map(requestWith);
  // Warm up with both credentials first: the first measured would pay for compiling shared code.
  for (const request of requests) await callFor(warmUpMs, request, connections);
  const result = new BenchResult('api');
  for (const [index, request] of requests.entries())
    result.add({ credential: ['session token', 'API secret'][index], ...(await measure(planes, request)) });
} finally {
  weir.kill('SIGTERM');
  await new Promise((resolve) => weir.once('exit', resolve));
  rmSync(data, { recursive: true });
}
