import { type Attack, holds } from '../attack.ts';

/** Calls with the fields that they know, filled in as a console would. */
const calls: Readonly<Record<string, object>> = {
  'live/program/query': {},
  'live/program/save': { app: 'live', stream: 'p', inputs: [{ kind: 'publisher' }], failMs: 1000, slateSeconds: 1 },
  'live/program/remove': { uuid: 'none' },
  'live/program/files': { files: [{ uuid: 'none' }] },
  'live/program/switch': { uuid: 'none', input: 'main' },
  'live/program/rehearse': { uuid: 'none', seconds: 1 },
  'live/program/preview': { uuid: 'none', input: 'main' },
  'live/program/slates': { slates: [] },
  'ffmpeg/vlive/library/picture': { uuid: 'none' },
  'ai/provider/voice-sample': { voice: 'v', language: 'en', aiBaseURL: 'http://192.0.2.1/v1', aiSecretKey: 'k' },
  'ai/transcript/lines': { uuid: 'none' },
  'hooks/record/stream': { app: 'live', stream: 's', record: false },
  'mgmt/access/query': {},
  'mgmt/access/update': { pattern: '/live/none', mode: 'link', sites: [], networks: [], maxViewers: 0, jwksUrl: '' },
  'mgmt/access/remove': { id: 'none' },
  'mgmt/access/links': {},
  'mgmt/access/link': { app: 'live', stream: 's', label: 'l', expiresAt: '2020-01-01T00:00:00Z', address: '' },
  'mgmt/access/revoke': { id: 'none' },
  'mgmt/access/playback': { app: 'live', stream: 's' },
  'watch/query': { playback: 'none' },
  'watch/unlock': { playback: 'none', password: 'x' },
  'hooks/srs/keys/query': {},
  'hooks/srs/keys/create': { name: 'n', streams: ['live/none'], protocols: [], expiresAt: '', publishers: 0 },
  'hooks/srs/keys/update': { uuid: 'none', name: 'n' },
  'hooks/srs/keys/rotate': { uuid: 'none', secret: '' },
  'hooks/srs/keys/revoke': { uuid: 'none' },
};

const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
const values: readonly unknown[] = [
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '/etc/passwd',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'concat:/etc/passwd|/etc/passwd',
  'a\0b',
  '\ud800',
  '\u202e\u0001\u001b[31m',
  '__proto__',
  '{{7*7}}<script>alert(1)</script>',
  `'; DROP TABLE kv; --`,
  '*'.repeat(500),
  '['.repeat(500),
  'x'.repeat(200_000),
  '',
  -1,
  1e308,
  2 ** 53,
  true,
  null,
  {},
  { toString: 1, constructor: { prototype: {} } },
  Array.from({ length: 5000 }, () => 'x'),
  deep(2000),
];

export const hostileFields: Attack = {
  id: 'S22',
  title: `${Object.keys(calls).length} calls of programs, play access, stream keys and recording, each field filled with ${values.length} kinds of nonsense`,
  growthMb: 120,
  async run(target) {
    const { live } = target;
    const counts = new Map<number, number>();
    for (const [path, fields] of Object.entries(calls)) {
      const url = `/terraform/v1/${path}`;
      const stranger = await target.sendRequest(url, { method: 'POST', body: JSON.stringify(fields) });
      const expected = path.startsWith('watch/') ? 404 : 401;
      holds(stranger.status === expected, `${path} without a token is answered ${stranger.status}`);
      for (const name of [...Object.keys(fields), 'unknown'])
        for (const value of values) {
          const began = performance.now();
          const body = JSON.stringify({ ...fields, [name]: value });
          const { status, text } = await target.sendRequest(url, { method: 'POST', headers: live.headers, body });
          counts.set(status, (counts.get(status) ?? 0) + 1);
          const what = `${path} with ${name}: ${JSON.stringify(value).slice(0, 40)}`;
          // 502: the provider of a voice is not there.
          holds(status < 500 || status === 502, `${what} is answered ${status}: ${text.slice(0, 200)}`);
          holds(!/root:|node_modules|\/tmp\/| {4}at /.test(text), `${what} is answered with ${text.slice(0, 200)}`);
          const tookMs = performance.now() - began;
          holds(tookMs < 10_000, `${what} took ${Math.round(tookMs)} ms`);
        }
    }
    return [...counts].map(([status, times]) => `${times} × ${status}`).join(', ');
  },
};
