import { describe, expect, it } from 'vitest';
import { decidePublish } from './publish-decision.ts';
import type { StoredKey } from './stream-key-repository.ts';

const now = '2026-06-01T12:00:00.000Z';
const before = '2026-05-31T12:00:00.000Z';
const after = '2026-06-02T12:00:00.000Z';
const roomSecret = 'A1B2C3D4E5F60718';

function key(name: string, change: Partial<StoredKey> = {}): StoredKey {
  return {
    name,
    uuid: name,
    hash: name,
    streams: ['live/stage-*', 'live/show'],
    protocols: [],
    expiresAt: '',
    publishers: 0,
    enabled: true,
    createdAt: before,
    rotatedAt: '',
    revokedAt: '',
    replaced: [],
    ...change,
  };
}

/** By the values that publishers show. */
const keys: Record<string, { readonly key: StoredKey; readonly isPresent: boolean }> = {};
for (const one of [
  key('stage-key'),
  key('expired-key', { expiresAt: now }),
  key('lasting-key', { expiresAt: after }),
  key('off-key', { enabled: false }),
  key('revoked-key', { revokedAt: before }),
  key('srt-key', { protocols: ['srt'] }),
  key('single-key', { publishers: 1 }),
  key('room-key', { streams: ['live/room', '**'] }),
  key('all-key', { streams: ['**'] }),
  key('vhost-key', { streams: ['studio/live/show'] }),
]) {
  keys[one.name] = { key: one, isPresent: true };
}
keys['former-key'] = { key: key('stage-key', { replaced: ['former-key'] }), isPresent: false };
keys['former-revoked-key'] = { key: key('stage-key', { revokedAt: before }), isPresent: false };

interface Case {
  readonly secret?: string;
  readonly param?: string;
  readonly stream?: string;
  readonly vhost?: string;
  readonly protocol?: string;
  readonly published?: readonly string[];
  readonly isOpen?: boolean;
}

function decide({ secret, param, stream = 'show', vhost = '__defaultVhost__', protocol = 'rtmp', ...more }: Case) {
  const place = { vhost, app: 'live', stream };
  const decision = decidePublish(
    { ...place, protocol, param: param ?? (secret === undefined ? '' : `?secret=${secret}`) },
    {
      secret: 'the-publish-secret',
      own: stream === 'room' ? roomSecret : undefined,
      isOpen: more.isOpen ?? false,
      findKey: (value) => keys[value],
      placesOf: () => (more.published ?? []).map((name) => ({ vhost: '__defaultVhost__', app: 'live', stream: name })),
      nowMs: Date.parse(now),
    },
  );
  if (!decision.isAllowed) return `${decision.reason}${decision.key ? ` ${decision.key.name}` : ''}`;
  return decision.key ? `with ${decision.key.name}` : decision.isWithoutSecret ? 'without a secret' : 'with the secret';
}

describe('S08: the decision about a publisher', () => {
  it.each<[string, Case, string]>([
    ['the publish secret', { secret: 'the-publish-secret' }, 'with the secret'],
    ['no secret', {}, 'secret-missing'],
    ['a wrong secret', { secret: 'stage-keys' }, 'secret-wrong'],
    ['a key that names the stream', { secret: 'stage-key' }, 'with stage-key'],
    ['a key whose pattern matches', { secret: 'stage-key', stream: 'stage-b' }, 'with stage-key'],
    [
      'a key over WHIP',
      { param: 'app=live&stream=show&secret=stage-key&eip=1.2.3.4', protocol: 'rtc' },
      'with stage-key',
    ],
    ['a key over SRT', { param: 'secret=stage-key', protocol: 'srt' }, 'with stage-key'],
    ['a key on a stream it does not open', { secret: 'stage-key', stream: 'other' }, 'key-stream stage-key'],
    ['a stream below the pattern', { secret: 'stage-key', stream: 'stage-b/cam' }, 'key-stream stage-key'],
    ['a key in upper case', { secret: 'STAGE-KEY' }, 'secret-wrong'],
    ['a key with a NUL byte', { secret: 'stage-key%00' }, 'secret-wrong'],
    ['a key with a trailing dot', { secret: 'stage-key.' }, 'secret-wrong'],
    ['a key with a space', { secret: 'stage-key+' }, 'secret-wrong'],
    ['a key twice', { param: '?secret=stage-key&secret=stage-key' }, 'with stage-key'],
    ['two keys at once', { param: '?secret=stage-key&secret=all-key' }, 'secret-wrong'],
    ['a key beside the publish secret', { param: '?secret=stage-key&secret=the-publish-secret' }, 'secret-wrong'],
    ['a key under another parameter', { param: '?token=stage-key' }, 'secret-missing'],
    ['a key in the name of the stream', { stream: 'show-stage-key' }, 'secret-missing'],
    ['an expired key', { secret: 'expired-key' }, 'key-expired expired-key'],
    ['a key that expires later', { secret: 'lasting-key' }, 'with lasting-key'],
    ['a key that is off', { secret: 'off-key' }, 'key-off off-key'],
    ['a revoked key', { secret: 'revoked-key' }, 'key-revoked revoked-key'],
    ['a replaced value', { secret: 'former-key' }, 'key-replaced stage-key'],
    ['a replaced value of a revoked key', { secret: 'former-revoked-key' }, 'key-revoked stage-key'],
    ['a key for SRT over RTMP', { secret: 'srt-key' }, 'key-protocol srt-key'],
    ['a key for SRT over SRT', { secret: 'srt-key', protocol: 'srt' }, 'with srt-key'],
    ['a key for SRT where no protocol is known', { secret: 'srt-key', protocol: '' }, 'key-protocol srt-key'],
    ['a key with room for one', { secret: 'single-key' }, 'with single-key'],
    ['a key whose one publisher is elsewhere', { secret: 'single-key', published: ['stage-a'] }, 'key-full single-key'],
    ['a key whose one publisher returns', { secret: 'single-key', published: ['show'] }, 'with single-key'],
    ['a key on another vhost', { secret: 'stage-key', vhost: 'studio' }, 'key-stream stage-key'],
    ['a key for another vhost', { secret: 'vhost-key', vhost: 'studio' }, 'with vhost-key'],
    ["a room's secret", { secret: roomSecret, stream: 'room' }, 'with the secret'],
    ["the publish secret on a room's stream", { secret: 'the-publish-secret', stream: 'room' }, 'secret-wrong'],
    ["a pattern for all on a room's stream", { secret: 'all-key', stream: 'room' }, 'key-stream all-key'],
    ["a key that names the room's stream", { secret: 'room-key', stream: 'room' }, 'with room-key'],
    ["a room's secret on another stream", { secret: roomSecret }, 'secret-wrong'],
    ['no secret where none is needed', { isOpen: true }, 'without a secret'],
    ['an expired key where none is needed', { secret: 'expired-key', isOpen: true }, 'without a secret'],
    ['a key where none is needed', { secret: 'stage-key', isOpen: true }, 'with stage-key'],
  ])('is right for %s', (_what, attempt, decision) => {
    expect(decide(attempt)).toBe(decision);
  });
});
