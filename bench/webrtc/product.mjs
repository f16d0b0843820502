// A whole product with one live stream for the benchmarks of WebRTC: Weir on core 0, the publisher on core 1.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const here = import.meta.dirname;
export const usualMedia = join(here, '../../.cache/bench/opus1000.mkv');
const http = 28391;
const env = {
  MGMT_LISTEN: String(http),
  HTTPS_LISTEN: '28743',
  WEIR_RTMP_LISTEN: '29661',
  WEIR_RTC_LISTEN: '28900',
  WEIR_SRT_LISTEN: '28910',
};
const origin = `http://127.0.0.1:${http}`;
export const whepUrl = `${origin}/rtc/v1/whep/?app=live&stream=bench`;
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export function makeMedia(file) {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  execFileSync('ffmpeg', [
    '-hide_banner',
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=1280x720:rate=25',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:sample_rate=48000',
    '-t',
    '60',
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
    '-sc_threshold',
    '0',
    '-b:v',
    '900k',
    '-minrate',
    '900k',
    '-maxrate',
    '900k',
    '-bufsize',
    '450k',
    '-x264-params',
    'nal-hrd=cbr',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-b:a',
    '96k',
    file,
  ]);
}

export function startOn(core, file, args, options = {}) {
  return spawn('taskset', ['-c', String(core), file, ...args], { stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

async function isUp(path) {
  const response = await fetch(origin + path, { method: 'HEAD' }).catch(() => undefined);
  return response?.status === 200;
}

/** `settings` are environment variables. Resolves when the stream is live. */
export async function startProduct(settings, media = usualMedia) {
  makeMedia(media);
  // At most as many processes as cores: two share the load generator's core, and their cost is counted in CPU time.
  const cores = Number(settings.WEIR_RTC_WORKERS ?? 1) > 1 ? '0,1' : '0';
  const weir = startOn(cores, process.execPath, [join(here, '../weir.mjs')], {
    env: { ...process.env, ...env, ...settings },
  });
  const gone = new Promise((resolve) => weir.once('exit', resolve));
  const children = [weir];
  const close = async () => {
    for (const child of children.reverse()) child.kill('SIGTERM');
    await gone;
  };
  try {
    while (!(await isUp('/terraform/v1/mgmt/versions'))) await sleep(100);
    const input = ['-hide_banner', '-loglevel', 'error', '-re', '-stream_loop', '-1', '-i', media];
    // Publishing is refused until weir.mjs has opened it to all.
    let publisher;
    for (let tries = 0; !(await isUp('/live/bench.flv')); tries++) {
      if (tries > 100) throw new Error('nothing is live');
      if (!publisher || publisher.exitCode !== null) {
        publisher = startOn(1, 'ffmpeg', [...input, '-c', 'copy', '-f', 'flv', 'rtmp://127.0.0.1:29661/live/bench']);
        children.push(publisher);
      }
      await sleep(300);
    }
    return { close, sent: sentBy(await signIn()), whepUrl, pids: enginePids };
  } catch (error) {
    await close();
    throw error;
  }
}

async function post(path, body, headers = {}) {
  const response = await fetch(origin + path, { method: 'POST', body: JSON.stringify(body), headers });
  return await response.json();
}

async function signIn() {
  return (await post('/terraform/v1/mgmt/login', { password: 'benchmark' })).data.bearer;
}

/** Bytes sent to WebRTC viewers so far. */
function sentBy(bearer) {
  return async () => {
    const { clients } = await post('/api/v1/clients?count=1000', {}, { authorization: `Bearer ${bearer}` });
    const own = clients.filter(({ type }) => type === 'rtc-play');
    const sum = (pick) => own.reduce((total, client) => total + pick(client), 0);
    return {
      viewers: own.length,
      packets: sum(({ transport }) => transport?.packetsSent ?? 0),
      bytes: sum(({ send_bytes }) => send_bytes),
    };
  };
}

/** The engine among the descendants of the launcher, and its workers. */
export function enginePids() {
  const found = { engine: [], workers: [] };
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      if (!command.includes('apps/engine/dist/') || !environment.includes(`MGMT_LISTEN=${http}`)) continue;
      found[command.includes('dist/main.cjs') ? 'engine' : 'workers'].push(Number(name));
    } catch {
      // The process ended meanwhile or belongs to another user.
    }
  }
  if (found.engine.length === 0) throw new Error('no engine runs');
  return found;
}

export const cpuSeconds = (pids) => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
export const residentMb = (pids) => pids.reduce((sum, pid) => sum + residentMbOf(pid), 0);
export const descriptors = (pids) => pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0);

function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function residentMbOf(pid) {
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}
