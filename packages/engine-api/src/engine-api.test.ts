import { MalformedMessage } from '@weir/streams';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engineApi } from './engine-api.ts';
import { decodeReply, type EngineCall, encodeRequest } from './engine-call.ts';
import { engineHooks } from './engine-hooks.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const table = { at: [1000, 2000], columns: { fps: [25, null], inKbps: [2500, 2400] } };
const viewer = {
  id: 'c1',
  protocol: 'flv',
  address: '198.51.100.7',
  since: '2026-01-01T00:00:00.000Z',
  bytes: 10,
  kbps: 8,
  droppedFrames: 0,
  rttMs: null,
  behindMs: -3,
  isSlow: false,
};

const ladder = {
  ...place,
  encoder: 'h264_vaapi',
  preset: 'superfast',
  device: '/dev/dri/renderD128',
  isOnDemand: true,
  hasAudioOnly: false,
  rungs: [{ lines: 480, kbps: 1200 }],
};

const killed = { at: '2026-01-01T00:00:00.000Z', wanted: false, code: null, signal: 'SIGKILL', reason: 'killed' };

/** A request and an answer of each call, as they are decoded. */
const examples: readonly [string, EngineCall<object, object>, object, object][] = [
  [
    'health',
    engineApi.health,
    {},
    {
      startedAt: '2026-01-01T00:00:00.000Z',
      listeners: [{ protocol: 'http', port: 2022, ready: true, note: '' }],
      srtVersion: '1.5.1',
      workerExits: [{ worker: 'srt', count: 2, last: killed }],
    },
  ],
  [
    'settings',
    engineApi.settings,
    {
      hls: { noHlsCtx: true, shortSegments: false },
      hiddenTexts: ['s'],
      segmentFormats: ['fmp4'],
      segmentQualities: ['480p', '240p-2'],
      edgeToken: '',
      ladders: [ladder],
    },
    {},
  ],
  [
    'ladders',
    engineApi.ladders,
    {},
    {
      ladders: [
        {
          ...place,
          encoder: 'libx264',
          state: 'running',
          reason: '',
          isBehind: false,
          pid: 7,
          starts: 2,
          failures: 0,
          rungs: [{ lines: 480, name: '480p', kbps: 1180 }],
        },
      ],
    },
  ],
  ['samples.now', engineApi.samples.now, {}, { server: table, streams: [{ ...place, isLive: true, samples: table }] }],
  ['samples.recent', engineApi.samples.recent, { since: 1_700_000_000_000 }, { server: table, streams: [] }],
  ['samples.minutes', engineApi.samples.minutes, { since: 0 }, { server: table, streams: [] }],
  ['samples.server', engineApi.samples.server, {}, { seconds: table, openFiles: { used: 20, most: 1024 } }],
  ['samples.stream', engineApi.samples.stream, { key: 'live/show' }, { seconds: table, viewers: [viewer] }],
  ['keyframe', engineApi.keyframe, { ...place, input: 'slate' }, { movie: 'AAAA' }],
  [
    'subtitleTracks',
    engineApi.subtitleTracks,
    { ...place, tracks: [{ language: 'en', name: 'English', isDefault: true }] },
    {},
  ],
  [
    'cues',
    engineApi.cues,
    { ...place, language: 'en', cues: [{ id: '1', startMs: 0, endMs: 900, text: 'hello' }] },
    {},
  ],
  [
    'programs',
    engineApi.programs,
    {},
    {
      programs: [
        {
          ...place,
          onAir: 'main',
          onAirAtMs: 1,
          armed: '',
          isHeld: false,
          inputs: [
            {
              id: 'main',
              state: 'good',
              fit: 'same',
              silentMs: 20,
              goodMs: 1000,
              kbps: 500,
              fps: 25,
              video: 'H264 640x360',
              audio: '',
              protocol: 'rtmp-publish',
              clientId: 'c1',
              fault: 'black',
            },
          ],
          switches: [{ fromId: '', toId: 'main', reason: 'start', atMs: 1, gapMs: 0 }],
          gaps: [{ protocol: 'll-hls', gapMs: 340 }],
        },
      ],
    },
  ],
  ['switchProgram', engineApi.switchProgram, { ...place, input: 'main' }, { refusal: '' }],
  [
    'inputSample',
    engineApi.inputSample,
    { ...place, input: 'main' },
    { movie: 'AAAA', hasVideo: true, hasAudio: false, keyframeMs: 5 },
  ],
  ['inputFault', engineApi.inputFault, { ...place, input: 'main', fault: 'frozen' }, {}],
  ['rehearseProgram', engineApi.rehearseProgram, { ...place, input: 'main', forMs: 1000 }, {}],
];

/** Request as the other side decodes it. */
function received(call: EngineCall<object, object>, request: object): unknown {
  const { target, body } = encodeRequest(call, request);
  return body === undefined ? Object.fromEntries(new URLSearchParams(target.split('?')[1])) : JSON.parse(body);
}

describe.each(examples)('the call %s', (_name, call, request, answer) => {
  const reply = { code: 0, data: answer };

  it('is decoded as it was sent', () => {
    expect(call.decodeRequest(received(call, request))).toEqual(request);
    expect(decodeReply(call, JSON.parse(JSON.stringify(reply)))).toEqual({ kind: 'answer', answer });
  });

  it('names the malformed field of a message with missing, wrong or oversized parts', () => {
    for (const decode of [call.decodeRequest, call.decodeAnswer]) {
      const message = decode === call.decodeRequest ? received(call, request) : answer;
      for (const damaged of damages(message)) expect(outcome(() => decode(damaged))).toBe('decoded or named');
    }
  });

  it('survives any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(outcome(() => call.decodeRequest(value))).toBe('decoded or named');
        expect(outcome(() => call.decodeAnswer(value))).toBe('decoded or named');
        expect(outcome(() => decodeReply(call, value))).toBe('decoded or named');
      }),
    );
  });
});

it('every call has a path of its own', () => {
  const paths = [...examples.map(([, { path }]) => path), ...Object.values(engineHooks).map(({ path }) => path)];
  expect(new Set(paths).size).toBe(paths.length);
});

it.each([
  [engineApi.settings, { hls: {} }, 'hls.noHlsCtx is required'],
  [engineApi.settings, { hls: { noHlsCtx: 1, shortSegments: true } }, 'hls.noHlsCtx: must be of type boolean'],
  [engineApi.settings, { hls: [] }, 'hls: must be a JSON object'],
  [engineApi.settings, { hiddenTexts: 'secret' }, 'hiddenTexts: must be a list'],
  [engineApi.settings, { hiddenTexts: ['a', 7] }, 'hiddenTexts[1]: must be a text of at most 4096 characters'],
  [engineApi.settings, { segmentFormats: ['mov'] }, 'segmentFormats[0]: must be a segment format'],
  [engineApi.settings, { segmentQualities: ['../x'] }, 'segmentQualities[0]: must be a quality'],
  [engineApi.settings, { edgeToken: 'x'.repeat(5000) }, 'edgeToken: must be at most 4096 characters'],
  [engineApi.settings, { ladders: [{ ...ladder, device: '/dev/null' }] }, 'ladders[0].device: must be a render device'],
  [
    engineApi.settings,
    { ladders: [{ ...ladder, rungs: [{ lines: 480, kbps: 1e9 }] }] },
    'ladders[0].rungs[0].kbps: must be from 50 to 50000',
  ],
  [engineApi.samples.recent, {}, 'since is required'],
  [engineApi.samples.minutes, { since: '-1' }, 'since: must be a moment in milliseconds'],
  [engineApi.samples.stream, { key: '' }, 'key: must be at least 1 characters'],
  [engineApi.keyframe, { ...place, app: 'x'.repeat(513) }, 'app: must be at most 512 characters'],
  [engineApi.subtitleTracks, { tracks: [] }, 'vhost is required'],
  [engineApi.cues, { ...place, language: '', cues: [] }, 'language: must be a language tag'],
] as [EngineCall<object, object>, unknown, string][])(
  'a request to $path with %j is refused: %s',
  (call, body, message) => {
    expect(() => call.decodeRequest(body)).toThrow(expect.objectContaining({ name: 'MalformedMessage', message }));
  },
);

it.each([
  [engineApi.health, { listeners: [] }, 'data.startedAt is required'],
  [
    engineApi.health,
    { startedAt: 'x', listeners: [{ protocol: 'gopher', port: 70, ready: true }] },
    'data.listeners[0].protocol: must be one of http, https, rtmp, rtc, srt',
  ],
  [
    engineApi.samples.now,
    { server: { at: ['x'], columns: {} }, streams: [] },
    'data.server.at: must be a list of numbers',
  ],
  [engineApi.samples.now, { server: { at: [1] }, streams: [] }, 'data.server.columns: must be an object'],
  [
    engineApi.samples.now,
    { server: { at: [1, 2], columns: { fps: [25] } }, streams: [] },
    'data.server.columns.fps: must have a number or null for each moment',
  ],
  [
    engineApi.samples.now,
    { server: table, streams: [{ ...place, isLive: 1 }] },
    'data.streams[0].isLive: must be of type boolean',
  ],
  [
    engineApi.samples.stream,
    { seconds: table, viewers: [{ ...viewer, rttMs: 'fast' }] },
    'data.viewers[0].rttMs: must be a number or null',
  ],
  [engineApi.keyframe, { movie: 'not base64!' }, 'data.movie: must be in base64'],
] as [EngineCall<object, object>, unknown, string][])(
  'an answer of $path with %j is refused: %s',
  (call, data, message) => {
    expect(() => decodeReply(call, { code: 0, data })).toThrow(
      expect.objectContaining({ name: 'MalformedMessage', message }),
    );
  },
);

it('a reply reports a missing object, or why the engine refused', () => {
  const { health } = engineApi;
  expect(decodeReply(health, { code: 404, data: { message: 'Not Found' } })).toEqual({ kind: 'missing' });
  expect(decodeReply(health, { code: 422, data: { message: 'hls is required' } })).toEqual({
    kind: 'refused',
    message: 'hls is required',
  });
  expect(decodeReply(health, { code: 500 })).toEqual({ kind: 'refused', message: '' });
  expect(() => decodeReply(health, { data: {} })).toThrow('code is required');
});

/** Copies of a message, each with one value removed, replaced by another kind, or made too long. */
function damages(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const others = [undefined, null, 7, -1, 1.5, 'x', 'x'.repeat(20_000_000), true, [], {}, [null], Number.MAX_VALUE];
  return Object.keys(value).flatMap((key) => {
    const put = (part: unknown) => (Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part });
    return [...others, ...damages((value as Record<string, unknown>)[key])].map(put);
  });
}

function outcome(decode: () => unknown): unknown {
  try {
    decode();
    return 'decoded or named';
  } catch (error) {
    return error instanceof MalformedMessage ? 'decoded or named' : error;
  }
}
