import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until, Weir, workersOf } from '../weir.fixture.ts';
import { flvTimes, inputs, Publisher, probe } from './fixtures/ffmpeg.fixture.ts';
import { Live } from './fixtures/live.fixture.ts';
import { LossyProxy } from './fixtures/lossy-proxy.fixture.ts';

const run = promisify(execFile);
let live: Live;
let publishers: Publisher[] = [];
beforeAll(async () => {
  // Players of what is not there learn it while they connect.
  live = await Live.start({ WEIR_PLAY_WAIT: '0' });
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
});
afterAll(() => live.close());
afterEach(async () => {
  await Promise.all(publishers.map((publisher) => publisher.stop('SIGKILL')));
  publishers = [];
});

function srt(id: string, port = live.weir.srtPort, query = ''): string {
  return `srt://127.0.0.1:${port}?streamid=${id}${query}`;
}

function publishId(name: string, secret = live.secret): string {
  return `#!::r=live/${name}?secret=${secret},m=publish`;
}

function publish(url: string, input: readonly string[] = inputs.both): Publisher {
  const publisher = new Publisher(url, input, url.startsWith('srt:') ? 'mpegts' : 'flv');
  publishers.push(publisher);
  return publisher;
}

async function publishLive(name: string, input: readonly string[] = inputs.both): Promise<Publisher> {
  const publisher = publish(srt(publishId(name)), input);
  await until(() => live.isLive(name), `${name} is live`);
  return publisher;
}

/** Plays some seconds by SRT: what ffmpeg complains about, and how long until the first packet. */
async function play(id: string, seconds: number, port?: number, query = '') {
  const before = performance.now();
  const quick = ['-analyzeduration', '1500000', '-probesize', '1000000'];
  const args = [
    '-v',
    'warning',
    ...quick,
    '-i',
    srt(id, port, `${query}&connect_timeout=20000`),
    '-t',
    String(seconds),
    '-f',
    'null',
    '-',
  ];
  const { stderr } = await run('ffmpeg', args, { timeout: 60_000 });
  return { stderr, tookMs: performance.now() - before };
}

async function refused(publisher: Publisher): Promise<void> {
  await until(() => publisher.hasEnded, 'refused');
  expect(publisher.process.exitCode).not.toBe(0);
}

async function clients() {
  const { clients: all } = (await live.post('/api/v1/clients?count=100')) as unknown as {
    clients: { id: string; name: string; type: string; recv_bytes: number; transport: Record<string, number> | null }[];
  };
  return all;
}

/** Datagrams that are nothing, and ones that look like handshakes, shutdowns and acknowledgements of SRT. */
async function sendJunk(port: number, count: number): Promise<void> {
  const socket = createSocket('udp4');
  const send = promisify((packet: Buffer, done: (error: Error | null) => void) =>
    socket.send(packet, port, '127.0.0.1', done),
  );
  for (let n = 0; n < count; n++) {
    const packet = randomBytes(1 + (n % 1400));
    if (n % 2 === 0) packet.writeUInt8(0x80, 0);
    if (n % 4 === 0 && packet.length > 1) packet.writeUInt8(n % 16, 1);
    // Socket number 0: for whoever listens.
    if (n % 8 === 0 && packet.length > 16) packet.writeUInt32BE(0, 12);
    await send(packet);
  }
  socket.close();
}

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-b:v', '300k'];
const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'keyint=25:log-level=none', '-b:v', '300k'];
const aac = ['-c:a', 'aac', '-b:a', '64k'];

describe('a stream that ffmpeg publishes by SRT', () => {
  it.each([
    ['avc', 'H.264 and AAC', [...x264, '-bf', '0', ...aac], ['h264', 'aac']],
    ['bframes', 'H.264 with B-frames and MP3', [...x264, '-bf', '2', '-c:a', 'libmp3lame'], ['h264', 'mp3']],
    ['hevc', 'H.265 and AAC', [...x265, ...aac], ['hevc', 'aac']],
  ])('with the name %s and %s plays by SRT, RTMP, HTTP-FLV and HLS', async (name, _what, codecs, expected) => {
    await publishLive(name, [...picture, ...tone, ...codecs]);
    // Debian's ffmpeg reads no H.265 from FLV and RTMP.
    const flvUrls = name === 'hevc' ? [] : [live.rtmp(name), live.http(name, '.flv')];
    const urls = [...flvUrls, srt(`#!::r=live/${name},m=request`)];
    for (const streams of await Promise.all(urls.map((url) => probe(url)))) {
      expect(streams.map(({ codec_name }) => codec_name)).toEqual(expected);
      expect(streams[0]).toMatchObject({ width: 320, height: 180 });
    }
    await until(async () => (await fetch(live.http(name, '.m3u8'))).status === 200, 'HLS is there');
    const hls = await probe(live.http(name, '.m3u8'));
    expect(hls.map(({ codec_name }) => codec_name)).toEqual(expected);
    expect((await play(`#!::r=live/${name},m=request`, 1)).stderr).toBe('');
  });
});

describe('SRT players', () => {
  it('of an RTMP stream start at once, with a keyframe and without errors, in every form of the id', async () => {
    publish(live.publishUrl('fromrtmp'), inputs.both);
    await until(() => live.isLive('fromrtmp'), 'live');
    const ids = ['#!::r=live/fromrtmp,latency=20,m=request', '#!::h=127.0.0.1/live/fromrtmp', 'live/fromrtmp'];
    for (const { stderr } of await Promise.all(ids.map((id) => play(id, 1)))) expect(stderr).toBe('');
  });

  it('are refused unknown streams', async () => {
    await expect(play('#!::r=live/nothing,m=request', 1)).rejects.toThrow(/Input\/output error/);
  });
});

describe('SRT callers', () => {
  it('publish two streams at once; a second publisher of one is refused, and the first is not interrupted', async () => {
    const first = await publishLive('one');
    await publishLive('two');
    await refused(publish(srt(publishId('one')), inputs.audio));
    expect(first.hasEnded).toBe(false);
    expect((await play('live/one', 1)).stderr).toBe('');
  });

  it('S08: are refused without the secret, and with a similar one', async () => {
    const wrong = ['', 'wrong', live.secret.toUpperCase(), `${live.secret}.`, live.secret.slice(1)];
    const attempts = wrong.map((secret, n) => publish(srt(publishId(`refused${n}`, secret)), inputs.audio));
    attempts.push(publish(srt('#!::r=live/refused8,m=publish'), inputs.audio));
    attempts.push(publish(srt('live/refused9'), inputs.audio));
    await Promise.all(attempts.map(refused));
    const { data } = await live.post('/terraform/v1/mgmt/streams/query');
    expect(data.streams.filter(({ stream }: { stream: string }) => stream.startsWith('refused'))).toEqual([]);
    expect(live.weir.output).not.toContain(live.secret);
  });

  it('S20: with hostile ids are refused, and others are not affected', async () => {
    const steady = await publishLive('steady', inputs.audio);
    const hostile = [
      '#!::r=live/../../etc/passwd,m=publish',
      `#!::r=live/${'a'.repeat(505)}`,
      '#!::,,,===',
      '#!::m=bidirectional,r=live/x',
      '%23!::r=%zz',
    ];
    const junk = sendJunk(live.weir.srtPort, 3000);
    await Promise.all([junk, ...hostile.map((id) => refused(publish(srt(id), inputs.audio)))]);
    expect(steady.hasEnded).toBe(false);
    expect((await play('live/steady', 1)).stderr).toBe('');
  });

  it('are listed with their connection statistics, can be disconnected, and are removed soon after they vanish', async () => {
    const kicked = await publishLive('kicked');
    await until(
      async () => (await clients()).some(({ name, recv_bytes }) => name === 'kicked' && recv_bytes > 0),
      'listed',
    );
    const entry = (await clients()).find(({ name }) => name === 'kicked');
    expect(entry).toMatchObject({ type: 'srt-publish', transport: { packetsLost: 0, packetsDropped: 0 } });
    expect(entry?.transport?.packetsReceived).toBeGreaterThan(0);
    expect(entry?.transport?.rttMs).toBeGreaterThan(0);
    await live.post(`/api/v1/clients/${entry?.id}?method=DELETE`);
    await until(() => kicked.hasEnded, 'kicked');

    const vanished = await publishLive('vanished', inputs.audio);
    await vanished.stop('SIGKILL');
    await until(async () => (await clients()).every(({ name }) => name !== 'vanished'), 'gone');
  });
});

describe('packet loss by SRT', () => {
  it('F04: of one packet in twenty, both ways, costs no frame', async () => {
    const proxy = await LossyProxy.open(live.weir.srtPort, 20);
    // Three tries for each packet also where the proxy and the players wait for a core. `srt-line-faults.test.ts` judges our latency.
    const latency = '&latency=1000000';
    publish(srt(publishId('lossy'), proxy.port, latency), [...picture, ...tone, ...x264, ...aac]);
    await until(() => live.isLive('lossy'), 'live');
    const show = ['-select_streams', 'v', '-show_entries', 'packet=pts', '-of', 'csv=p=0', '-read_intervals', '%+5'];
    const args = ['-v', 'error', ...show, srt('#!::r=live/lossy,m=request', proxy.port, latency)];
    const { stdout } = await run('ffprobe', args, { timeout: 40_000 });
    const times = [...stdout.matchAll(/^\d+/gm)].map(Number);
    const steps = times.slice(1).map((time, n) => time - (times[n] ?? 0));
    expect(proxy.lost).toBeGreaterThan(10);
    expect(steps.length).toBeGreaterThan(100);
    expect(new Set(steps)).toEqual(new Set([90_000 / 25]));
    proxy.close();
  });
});

describe('F23: the SRT process', () => {
  it('can be killed: others lose no frame, its clients return, and it is reported once', async () => {
    publish(live.publishUrl('unmoved'), [...picture, ...x264]);
    await until(() => live.isLive('unmoved'), 'live');
    const caller = await publishLive('moved', inputs.audio);
    const engine = live.weir.pidOf('engine');
    const [worker = 0] = workersOf(engine, 'srt');
    const times = flvTimes(live.http('unmoved', '.flv'), 8);
    process.kill(worker, 'SIGKILL');
    await until(() => caller.hasEnded, 'the caller notices');
    await publishLive('moved', inputs.audio);
    expect((await play('#!::r=live/unmoved,m=request', 1)).stderr).toBe('');
    const steps = (await times).map((time, n, all) => time - (all[n - 1] ?? time)).slice(1);
    expect(steps.length).toBeGreaterThan(150);
    expect(new Set(steps)).toEqual(new Set([40]));
    expect(live.weir.pidOf('engine')).toBe(engine);
    expect(live.weir.records('a worker process ended, its clients were disconnected')).toMatchObject([
      { worker: 'srt' },
    ]);
    const { data } = await live.post('/terraform/v1/mgmt/status');
    expect(data.alerts).toMatchObject([{ kind: 'worker', subject: 'srt', count: 1 }]);
  });
});

describe('an SRT passphrase', () => {
  it('accepts callers that have it, and refuses another one or none', async () => {
    const passphrase = 'correct horse battery';
    const weir = await Weir.start({ WEIR_SRT_PASSPHRASE: passphrase, MGMT_PASSWORD: 'the password' });
    try {
      const { data } = await weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
      const auth = { authorization: `Bearer ${data.bearer}` };
      const secret = (await weir.post('/terraform/v1/hooks/srs/secret/query', {}, auth)).data.publish;
      const url = (name: string, query: string) => srt(publishId(name, secret), weir.srtPort, query);
      const right = publish(url('right', `&passphrase=${passphrase}`));
      await Promise.all([
        refused(publish(url('other', '&passphrase=incorrect horse'), inputs.audio)),
        refused(publish(url('none', ''), inputs.audio)),
      ]);
      await until(
        async () => (await fetch(`${weir.origin}/live/right.flv`, { method: 'HEAD' })).status === 200,
        'live',
      );
      expect(right.hasEnded).toBe(false);
      const played = await play('live/right', 1, weir.srtPort, `&passphrase=${passphrase}`);
      expect(played.stderr).toBe('');
      await expect(play('live/right', 1, weir.srtPort)).rejects.toThrow(/Input\/output error/);
      expect(weir.output).not.toContain(passphrase);
    } finally {
      await weir.close();
    }
  });
});

describe('without libsrt', () => {
  it('the server starts, and reports it in the log, in its status and in the summaries', async () => {
    const weir = await Weir.start({ WEIR_SRT_LIBRARY: '/nowhere/libsrt.so', MGMT_PASSWORD: 'the password' });
    try {
      expect(weir.output).toContain('SRT is unavailable');
      const { data } = await weir.post('/terraform/v1/mgmt/login', { password: 'the password' });
      const auth = { authorization: `Bearer ${data.bearer}` };
      const status = await weir.post('/terraform/v1/mgmt/status', {}, auth);
      const summaries = await weir.post('/api/v1/summaries', {}, auth);
      const off = expect.objectContaining({ protocol: 'srt', ready: false, note: 'no-library' });
      expect(status.data.health.engine.listeners).toContainEqual(off);
      expect(summaries.data.listeners).toContainEqual(off);
    } finally {
      await weir.close();
    }
  });
});
