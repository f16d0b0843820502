import { type Diagnosis, type IssueId, issueIds } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { alert, nowMs, serverFacts, serverSamples, streamFacts, streamSamples } from './diagnose.fixture.ts';
import { diagnoseServer, diagnoseStream } from './diagnose.ts';

const stream = (...given: Parameters<typeof diagnoseStream>) => diagnoseStream(...given);
const server = (facts = serverFacts(), samples = serverSamples()) => diagnoseServer(samples, facts);
const health = serverFacts().health;
const listenerOff = (protocol: 'rtmp' | 'srt' | 'https', note: 'port-taken' | 'no-library' | 'no-certificate') =>
  serverFacts({}, { engine: { ...health.engine, listeners: [{ protocol, port: 1, ready: false, note }] } });
const late = (from: number, value: number, before: number) => (second: number) => (second >= from ? value : before);
const program = (onAir: string, states: readonly string[]) => ({
  onAir,
  onAirAtMs: nowMs - 5000,
  isHeld: false,
  inputs: states.map((state, index) => ({ id: ['main', 'backup'][index] ?? '', state })),
});
const video = { codec: 'H264', profile: 'High', width: 1920, height: 1080 };

/** Issue, situation and expected severity. */
const cases: readonly [IssueId, () => Diagnosis, severity: 'bad' | 'warn'][] = [
  [
    'stalled',
    () => stream(streamSamples({ inKbps: late(114, 0, 4500), pace: null, fps: late(114, 0, 30) }), streamFacts()),
    'bad',
  ],
  [
    'uplink-slow',
    () => stream(streamSamples({ pace: late(110, 0.7, 1), fps: late(110, 21, 30) }), streamFacts()),
    'bad',
  ],
  [
    'uplink-full',
    () => stream(streamSamples({ rttMs: 2700, lossPercent: 0 }), streamFacts({}, { protocol: 'rtc' })),
    'bad',
  ],
  [
    'bitrate-unstable',
    () => stream(streamSamples({ pace: (second) => (second % 6 === 0 ? 0.1 : 1.18) }), streamFacts()),
    'warn',
  ],
  ['bitrate-low', () => stream(streamSamples({ inKbps: 400 }), streamFacts()), 'warn'],
  ['keyframes-far', () => stream(streamSamples({ keyframeMs: late(117, 10_000, 2000) }), streamFacts()), 'warn'],
  ['keyframes-far', () => stream(streamSamples({ keyframeMs: 20_000 }), streamFacts()), 'bad'],
  ['fps-low', () => stream(streamSamples({ fps: late(100, 22, 30) }), streamFacts()), 'warn'],
  ['timestamps', () => stream(streamSamples({ jumps: (second) => (second === 100 ? 1 : 0) }), streamFacts()), 'warn'],
  ['timestamps', () => stream(streamSamples({ jumps: (second) => second % 2 }), streamFacts()), 'bad'],
  [
    'reconnects',
    () => stream(streamSamples(), streamFacts({ publishedMs: [1, 2, 3, 4].map((n) => nowMs - n * 100_000) })),
    'warn',
  ],
  ['publisher-rtt', () => stream(streamSamples({ rttMs: 420, lossPercent: 0 }), streamFacts()), 'warn'],
  ['publisher-loss', () => stream(streamSamples({ rttMs: 40, lossPercent: late(112, 4, 0) }), streamFacts()), 'warn'],
  ['publisher-loss', () => stream(streamSamples({ rttMs: 40, lossPercent: 12 }), streamFacts()), 'bad'],
  ['input-lost', () => stream(streamSamples(), streamFacts({ program: program('backup', ['lost', 'good']) })), 'warn'],
  ['input-lost', () => stream(streamSamples(), streamFacts({ program: program('slate', ['lost', 'absent']) })), 'bad'],
  ['input-unfit', () => stream(streamSamples(), streamFacts({ program: program('main', ['good', 'unfit']) })), 'warn'],
  ['video-none', () => stream(streamSamples({ fps: 0 }), streamFacts({ announcedFps: 0 }, { video: null })), 'warn'],
  [
    'audio-none',
    () => stream(streamSamples({ silence: null, audioKbps: 0, avOffsetMs: null }), streamFacts({}, { audio: null })),
    'warn',
  ],
  ['audio-silent', () => stream(streamSamples({ silence: late(113, 42 / 43, 0) }), streamFacts()), 'warn'],
  ['av-offset', () => stream(streamSamples({ avOffsetMs: -2200 }), streamFacts()), 'warn'],
  ['av-drift', () => stream(streamSamples({ avOffsetMs: (second) => second * 4 }), streamFacts()), 'warn'],
  [
    'profile-unplayable',
    () => stream(streamSamples(), streamFacts({}, { video: { ...video, profile: 'High 4:2:2' } })),
    'bad',
  ],
  [
    'codec-limited',
    () => stream(streamSamples(), streamFacts({}, { video: { ...video, codec: 'AV1', profile: 'Main' } })),
    'warn',
  ],
  [
    'hevc-limited',
    () => stream(streamSamples(), streamFacts({}, { video: { ...video, codec: 'H265', profile: 'Main' } })),
    'warn',
  ],
  [
    'b-frames',
    () =>
      stream(
        streamSamples(),
        streamFacts({}, { bFrames: true, webrtc: { video: 'converted', audio: 'converted', reason: '' } }),
      ),
    'warn',
  ],
  [
    'webrtc-unavailable',
    () => stream(streamSamples(), streamFacts({}, { webrtc: { video: 'unavailable', audio: 'direct', reason: 'x' } })),
    'bad',
  ],
  ['viewer-rtt', () => stream(streamSamples({ viewerRttMs: 700 }), streamFacts()), 'warn'],
  ['viewer-loss', () => stream(streamSamples({ viewerLossPercent: 6 }), streamFacts()), 'warn'],
  ['viewers-behind', () => stream(streamSamples({ slow: 1, behindMs: 6500 }), streamFacts()), 'warn'],
  ['viewers-slow', () => stream(streamSamples({ dropped: 60 }), streamFacts()), 'warn'],
  ['cpu-full', () => server(serverFacts(), serverSamples({ cpu: 0.94 })), 'warn'],
  ['memory-full', () => server(serverFacts(), serverSamples({ memory: 0.96 })), 'warn'],
  ['disk-full', () => server(serverFacts({}, { disk: { ok: false, freeBytes: 2e8, totalBytes: 5e11 } })), 'bad'],
  ['disk-filling', () => server(serverFacts({ diskBytesPerDay: 100e9 })), 'warn'],
  ['open-files', () => server(serverFacts({ openFiles: { used: 900, most: 1024 } })), 'warn'],
  ['clock-wrong', () => server(serverFacts({ newestKeptMs: nowMs + 7_200_000 })), 'warn'],
  ['ffmpeg-missing', () => server(serverFacts({ ffmpeg: 'missing' })), 'bad'],
  ['engine-away', () => server(serverFacts({}, { engine: { ok: false, startedAt: null, listeners: [] } })), 'bad'],
  ['port-taken', () => server(listenerOff('rtmp', 'port-taken')), 'bad'],
  ['srt-unavailable', () => server(listenerOff('srt', 'no-library')), 'bad'],
  ['https-off', () => server(listenerOff('https', 'no-certificate')), 'bad'],
  ['worker-failing', () => server(serverFacts({ alerts: [alert('worker')] })), 'bad'],
  ['candidate-missing', () => server(serverFacts({ lacksCandidate: true })), 'warn'],
  ['certificate-untrusted', () => server(serverFacts({ isSelfSigned: true })), 'warn'],
  [
    'certificate-expires',
    () =>
      server(
        serverFacts(
          {},
          { certificate: { subject: '', issuer: '', expireAt: '2026-06-05T00:00:00.000Z', isEnding: true } },
        ),
      ),
    'warn',
  ],
  ['destination-key', () => server(serverFacts({ alerts: [alert('output', 'key-refused')] })), 'bad'],
  ['destination-slow', () => server(serverFacts({ alerts: [alert('output', 'too-slow')] })), 'bad'],
  ['destination-failing', () => server(serverFacts({ alerts: [alert('output', 'name-unknown')] })), 'bad'],
  ['callback-failing', () => server(serverFacts({ alerts: [alert('callback')] })), 'bad'],
  ['record-storage', () => server(serverFacts({ alerts: [alert('record-storage')] })), 'bad'],
  ['record-failed', () => server(serverFacts({ alerts: [alert('record-failed')] })), 'bad'],
  ['record-lost', () => server(serverFacts({ alerts: [alert('record-lost')] })), 'bad'],
  ['upload-waiting', () => server(serverFacts({ alerts: [alert('upload')] })), 'bad'],
  ['ai-provider', () => server(serverFacts({ alerts: [alert('ai-provider')] })), 'bad'],
  ['ai-limit', () => server(serverFacts({ alerts: [alert('ai-limit')] })), 'bad'],
  ['local-ai', () => server(serverFacts({ alerts: [alert('local-ai')] })), 'bad'],
];

describe('diagnose', () => {
  it.each(cases)('reports %s and nothing else', (id, diagnose, severity) => {
    const { verdict, issues } = diagnose();
    expect(issues.map((issue) => issue.id)).toEqual([id]);
    expect(issues[0]?.severity).toBe(severity);
    expect(verdict).toBe(severity === 'bad' ? 'bad' : 'ok');
    expect(Date.parse(issues[0]?.since ?? '')).toBeLessThanOrEqual(nowMs);
  });

  it('has a test case for every issue', () => {
    expect([...new Set(cases.map(([id]) => id))].sort()).toEqual([...issueIds].sort());
  });

  it('reports nothing for healthy streams and servers', () => {
    const good = { verdict: 'good', issues: [] };
    expect(stream(streamSamples(), streamFacts())).toEqual(good);
    // Over SRT and MPEG-TS, with audio that comes well after its video, and B-frames that nobody minds.
    const far = streamSamples({ rttMs: 120, lossPercent: 0.4, avOffsetMs: -600, rtc: 0 });
    expect(stream(far, streamFacts({}, { protocol: 'srt', bFrames: true }))).toEqual(good);
    // A slide show that hardly changes, at a low rate.
    const slides = streamSamples({ inKbps: 120, audioKbps: 96, fps: 5, keyframeMs: 4000 });
    const small = { video: { ...video, width: 1280, height: 720 } };
    expect(stream(slides, streamFacts({ announcedFps: 5 }, small))).toEqual(good);
    // A camera whose owner had silence added to it.
    expect(stream(streamSamples({ silence: 1, audioKbps: 20 }), streamFacts({ isSilenceWanted: true }))).toEqual(good);
    // A stream that has just begun.
    expect(stream(streamSamples({ fps: 12 }, 6), streamFacts({ publishedAtMs: nowMs - 6000 }))).toEqual(good);
    expect(server()).toEqual(good);
    expect(
      server(
        serverFacts({ diskBytesPerDay: undefined, openFiles: undefined, ffmpeg: 'unknown' }),
        serverSamples({}, 0),
      ),
    ).toEqual(good);
  });

  it('reports the start and the figures of an issue', () => {
    const { issues } = stream(streamSamples({ keyframeMs: late(110, 8000, 2000) }), streamFacts());
    expect(issues[0]).toMatchObject({ since: new Date(nowMs - 10_000).toISOString(), numbers: { seconds: 8 } });
    const [key] = server(serverFacts({ alerts: [alert('output', 'key-refused')] })).issues;
    expect(key).toMatchObject({ subject: 'bilibili', numbers: { count: 3 } });
  });

  it('names the process that uses the CPU, another program, or nothing when it is unknown', () => {
    const full = (cpuUse?: ReturnType<typeof serverFacts>['cpuUse']) =>
      server(serverFacts({ cpuUse }), serverSamples({ cpu: 0.94 })).issues[0];
    const ours = [
      { user: 'transcode', share: 0.5 },
      { user: 'engine', share: 0.1 },
    ] as const;
    expect(full({ all: 0.95, ours })).toMatchObject({ subject: 'transcode', numbers: { percent: 94, used: 50 } });
    const idle = [{ user: 'engine', share: 0.03 }] as const;
    expect(full({ all: 0.95, ours: idle })).toMatchObject({ subject: 'elsewhere', numbers: { percent: 94, used: 3 } });
    expect(full()).toMatchObject({ subject: '', numbers: { percent: 94 } });
  });

  it('lists the worst issue first', () => {
    const { verdict, issues } = stream(streamSamples({ silence: 1, pace: 0.6, keyframeMs: 7000 }), streamFacts());
    expect([verdict, issues[0]?.id]).toEqual(['bad', 'uplink-slow']);
    expect(issues.map(({ id }) => id)).toContain('audio-silent');
  });

  it('ends an issue within fifteen seconds of the end of its cause', () => {
    const mended = (second: number) => second >= 106;
    const samples = streamSamples({
      keyframeMs: (second) => (mended(second) ? 2000 : 10_000),
      silence: (second) => (mended(second) ? 0 : 1),
      pace: (second) => (mended(second) ? 1 : 0.6),
      fps: (second) => (mended(second) ? 30 : 18),
    });
    expect(stream(samples, streamFacts())).toEqual({ verdict: 'good', issues: [] });
  });

  it('reports loss that lasts, but not a single second that counts a whole blackout', () => {
    const named = (lossPercent: (second: number) => number | null) =>
      stream(streamSamples({ rttMs: 40, lossPercent }), streamFacts()).issues.map(({ id }) => id);
    // Five percent, more or less by chance, which began 8 s ago, ended 4 s ago, or 10 s ago.
    const chance = (second: number) => 2 + ((second * 7) % 6);
    expect(named((second) => (second >= 112 ? chance(second) : 0))).toEqual(['publisher-loss']);
    expect(named((second) => (second >= 101 && second < 116 ? chance(second) : 0))).toEqual(['publisher-loss']);
    expect(named((second) => (second >= 95 && second < 110 ? chance(second) : 0))).toEqual([]);
    // Reports that miss a sample now and then, as on a busy machine.
    expect(named((second) => (second % 4 === 0 ? null : chance(second)))).toEqual(['publisher-loss']);
    // Five seconds without a packet, then everything that was sent meanwhile at once.
    for (let since = 0; since < 15; since++) {
      const back = 120 - since;
      const blackout = (second: number) => (second >= back - 5 && second < back ? null : second === back ? 84 : 0);
      expect(named(blackout)).toEqual([]);
    }
  });

  it('detects a slow connection by the bitrate that a WebRTC publisher still reaches', () => {
    // A real case: 5 of 30 frames per second, 65 kbit/s and a round trip of 2.7 s, at the pace of real time.
    const crowded = { inKbps: 65, audioKbps: 32, fps: 5, pace: 1, rttMs: 2700, lossPercent: 0 };
    const whip = { protocol: 'rtc', kbps: 65, fps: 5 };
    const { verdict, issues } = stream(streamSamples(crowded), streamFacts({}, whip));
    expect([verdict, issues.map(({ id }) => id)]).toEqual(['bad', ['uplink-full']]);
    expect(issues[0]?.numbers).toEqual({ ms: 2700, kbps: 65, fps: 5 });
    const named = (columns: Parameters<typeof streamSamples>[0], announcedFps: number) =>
      stream(streamSamples(columns), streamFacts({ announcedFps }, whip)).issues.map(({ id }) => id);
    // Browsers announce no frame rate: as many as came before are expected, and a round trip that grew is the reason.
    const slower = { ...crowded, rttMs: late(90, 450, 40), fps: late(90, 5, 30) };
    expect(named(slower, 0)).toEqual(['uplink-full']);
    // A shared screen that stands still has few frames on a good line, and on a long one as many as ever.
    expect(named({ ...slower, rttMs: 40 }, 0)).toEqual([]);
    expect(named({ ...crowded, rttMs: 450 }, 0)).toEqual(['publisher-rtt']);
    // A single answer that took long.
    expect(named({ fps: 30, rttMs: (second) => (second === 117 ? 9000 : 40) }, 30)).toEqual([]);
    // Over SRT what does not fit comes later and later.
    expect(named({ fps: 20, pace: 0.7, rttMs: 2700 }, 30)).toEqual(['uplink-slow']);
  });

  it('reports nothing for a stream without a publisher or recent measurements', () => {
    const none = { verdict: 'none', issues: [] };
    expect(stream(streamSamples(), streamFacts({ publishedAtMs: undefined }))).toEqual(none);
    expect(stream(streamSamples({}, 3), streamFacts())).toEqual(none);
    expect(stream(streamSamples(), streamFacts({ nowMs: nowMs + 60_000 }))).toEqual(none);
  });
});

it('a program is good on its best input, and where an operator chose another one', () => {
  const of = (facts: Parameters<typeof streamFacts>[0]) => stream(streamSamples(), streamFacts(facts)).issues;
  expect(of({ program: program('main', ['good', 'absent']) })).toEqual([]);
  expect(of({ program: { ...program('backup', ['lost', 'good']), isHeld: true } })).toEqual([]);
});
