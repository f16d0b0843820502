// What WebRTC viewers cost: ffmpeg publishes by RTMP, N viewers play by WHEP, Weir on core 0 and everybody else on core 1.
//   node bench/webrtc.mjs [--n 100,250] [--seconds 20] [--transports own,library] [--media FILE.flv]
// Prints for each transport and N: packets and octets delivered per second, CPU of all processes of the engine per packet, per viewer and per
// GB, how much later than the fastest pictures arrived, and how long after its POST a viewer had its first one.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const here = import.meta.dirname;
const work = join(here, '../.cache/bench');
const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '100,250' },
    seconds: { type: 'string', default: '20' },
    transports: { type: 'string', default: 'own,library' },
    media: { type: 'string', default: join(work, 'opus1000.mkv') },
  },
});
const seconds = Number(values.seconds);
const http = 28391;
const env = {
  MGMT_LISTEN: String(http),
  HTTPS_LISTEN: '28743',
  WEIR_RTMP_LISTEN: '29661',
  WEIR_RTC_LISTEN: '28900',
  WEIR_SRT_LISTEN: '28910',
};
const origin = `http://127.0.0.1:${http}`;
let bearer;
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function makeMedia() {
  if (existsSync(values.media)) return;
  mkdirSync(work, { recursive: true });
  execFileSync('ffmpeg', [
    ...['-hide_banner', '-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-t', '60'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'main', '-bf', '0', '-g', '50', '-sc_threshold', '0'],
    ...['-b:v', '900k', '-minrate', '900k', '-maxrate', '900k', '-bufsize', '450k', '-x264-params', 'nal-hrd=cbr'],
    ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '96k', values.media],
  ]);
}

function start(core, file, args, options = {}) {
  return spawn('taskset', ['-c', String(core), file, ...args], { stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

/** The engine among the descendants of the launcher, and its workers. */
function enginePids() {
  const found = [];
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      if (command.includes('apps/engine/dist/') && environment.includes(`MGMT_LISTEN=${http}`))
        found.push(Number(name));
    } catch {
      // It ended while we looked, or is somebody else's.
    }
  }
  if (found.length === 0) throw new Error('no engine runs');
  return found;
}

/** The engine itself, without its workers. */
const isEngine = (pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('dist/main.cjs');
const cpuSeconds = (pids) => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
const residentMb = (pids) => pids.reduce((sum, pid) => sum + residentMbOf(pid), 0);

function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function residentMbOf(pid) {
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

async function isUp(path, status) {
  const response = await fetch(origin + path, { method: 'HEAD' }).catch(() => undefined);
  return response?.status === status;
}

/** What the engine has sent to viewers by WebRTC so far. */
async function sent() {
  const post = async (path, body, headers = {}) => {
    const response = await fetch(origin + path, { method: 'POST', body: JSON.stringify(body), headers });
    return await response.json();
  };
  bearer ??= (await post('/terraform/v1/mgmt/login', { password: 'benchmark' })).data.bearer;
  const { clients } = await post('/api/v1/clients?count=1000', {}, { authorization: `Bearer ${bearer}` });
  const own = clients.filter(({ type }) => type === 'rtc-play');
  const sum = (pick) => own.reduce((total, client) => total + pick(client), 0);
  return {
    viewers: own.length,
    packets: sum(({ transport }) => transport.packetsSent),
    bytes: sum(({ send_bytes }) => send_bytes),
  };
}

async function measure(n, transport) {
  const viewers = start(
    1,
    process.execPath,
    [join(here, 'webrtc-viewers.mjs'), `${origin}/rtc/v1/whep/?app=live&stream=bench`, String(n)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ready = Promise.withResolvers();
  let seen = { packets: 0, bytes: 0 };
  const times = Promise.withResolvers();
  createInterface({ input: viewers.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.event === 'ready') ready.resolve();
    else if (message.event === 'times') times.resolve(message);
    else seen = message;
  });
  viewers.once('exit', () => {
    ready.reject(new Error('the viewers ended'));
    times.resolve({});
  });
  await ready.promise;
  await sleep(3000);
  const engine = enginePids();
  const own = engine.filter(isEngine);
  const before = {
    ...(await sent()),
    ...{ cpu: cpuSeconds(engine), own: cpuSeconds(own), at: performance.now(), received: seen.packets },
  };
  await sleep(seconds * 1000);
  const passed = (performance.now() - before.at) / 1000;
  const cpu = cpuSeconds(engine) - before.cpu;
  const after = await sent();
  const packets = after.packets - before.packets;
  const bytes = after.bytes - before.bytes;
  // The load's core may be too busy to take everything; what counts is what was sent.
  const received = ((seen.packets - before.received) * n) / packets;
  viewers.kill('SIGTERM');
  const { delayMs, firstMs } = await times.promise;
  console.log(
    JSON.stringify({
      transport,
      viewers: after.viewers,
      receivedShare: Math.round(received * 100) / 100,
      packetsPerSecond: Math.round(packets / passed),
      mbitPerSecond: Math.round((bytes * 8) / passed / 1e5) / 10,
      cpuPercent: Math.round((cpu / passed) * 1000) / 10,
      engineCpuPercent: Math.round(((cpuSeconds(own) - before.own) / passed) * 1000) / 10,
      usPerPacket: Math.round((cpu / packets) * 1e7) / 10,
      cpuPercentPerViewer: Math.round((cpu / passed / n) * 1e5) / 1e3,
      cpuSecondsPerGb: Math.round((cpu / bytes) * 1e11) / 100,
      residentMb: residentMb(engine),
      delayMs,
      firstMs,
    }),
  );
  await sleep(1000);
}

async function measureTransport(transport) {
  const weir = start(0, process.execPath, [join(here, 'weir.mjs')], {
    env: { ...process.env, ...env, WEIR_RTC_TRANSPORT: transport },
  });
  const gone = Promise.withResolvers();
  weir.once('exit', gone.resolve);
  const children = [weir];
  try {
    while (!(await isUp('/terraform/v1/mgmt/versions', 200))) await sleep(100);
    await sleep(1000);
    const input = ['-hide_banner', '-loglevel', 'error', '-re', '-stream_loop', '-1', '-i', values.media];
    // Publishing is refused until weir.mjs has opened it to all.
    let publisher;
    for (let tries = 0; !(await isUp('/live/bench.flv', 200)); tries++) {
      if (tries > 100) throw new Error('nothing is live');
      if (!publisher || publisher.exitCode !== null) {
        publisher = start(1, 'ffmpeg', [...input, '-c', 'copy', '-f', 'flv', 'rtmp://127.0.0.1:29661/live/bench']);
        children.push(publisher);
      }
      await sleep(300);
    }
    await sleep(2000);
    const engine = enginePids();
    const before = { cpu: cpuSeconds(engine), at: performance.now() };
    await sleep(5000);
    const idle = (cpuSeconds(engine) - before.cpu) / ((performance.now() - before.at) / 1000);
    const cpuPercent = Math.round(idle * 1000) / 10;
    console.log(JSON.stringify({ transport, viewers: 0, cpuPercent, residentMb: residentMb(engine) }));
    for (const n of values.n.split(',').map(Number)) await measure(n, transport);
  } finally {
    for (const child of children.reverse()) child.kill('SIGTERM');
    await gone.promise;
    bearer = undefined;
  }
}

makeMedia();
for (const transport of values.transports.split(',')) await measureTransport(transport);
