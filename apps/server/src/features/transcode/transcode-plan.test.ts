import { TranscodeConfig, transcodeDefaults } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import type { LiveInput, LiveView } from '../../outlets/live-inputs.ts';
import { planTranscode } from './transcode-plan.ts';

function live(stream: string, facts: Partial<LiveInput> = {}): LiveInput {
  const input = { kind: 'live', url: `rtmp://127.0.0.1:1935/live/${stream}` } as const;
  const place = { vhost: '__defaultVhost__', app: 'live', stream, name: `live/${stream}` };
  const ofQuality = () => input;
  return {
    ...place,
    publishedAt: '',
    clientId: `c-${stream}`,
    input,
    ofQuality,
    secrets: [],
    isMadeByUs: false,
    ...facts,
  };
}

function view(...streams: LiveInput[]): LiveView {
  const own = 'rtmp://localhost';
  return {
    streams,
    ownPlaceOf: (url) => (url.startsWith(own) ? `__defaultVhost__${url.slice(own.length).split('?')[0]}` : undefined),
    isLoop: () => false,
  };
}

const config = (facts: Partial<TranscodeConfig> = {}) =>
  TranscodeConfig.parse({
    ...transcodeDefaults,
    all: true,
    server: 'rtmp://localhost/live/',
    secret: 'show-trans?secret=old',
    ...facts,
  });

const plan = (facts: Partial<TranscodeConfig>, seen: LiveView, current?: string) =>
  planTranscode(config(facts), seen, { current, publishSecret: 'fresh' });

const elsewhere = { server: 'rtmp://video.example.com/live', secret: 'show-trans' };

describe('the transcoded stream', () => {
  it.each<[string, Partial<TranscodeConfig>, LiveView, string | undefined]>([
    ['nothing while it is off', { all: false }, view(live('show')), undefined],
    ['nothing that cannot be encoded', { vprofile: 'x' }, view(live('show')), undefined],
    ['nothing while nobody publishes', {}, view(), undefined],
    ['the newest stream', {}, view(live('new'), live('old')), 'live/new'],
    ['the named one', { stream: 'live/old' }, view(live('new'), live('old')), 'live/old'],
    ['nothing while the named one is away', { stream: 'old' }, view(live('new')), undefined],
    ['never its own output', {}, view(live('show-trans', { isMadeByUs: true }), live('show')), 'live/show'],
    ['never its own output, even by name', { stream: 'show-trans' }, view(live('show-trans')), undefined],
    ['never its own output under a name of ours that we do not know', elsewhere, view(live('show-trans')), undefined],
    ['nor on another vhost', elsewhere, view(live('show-trans', { vhost: 'a.test' })), undefined],
    ['a stream that is only called alike', elsewhere, view(live('my-show-trans')), 'live/my-show-trans'],
    ['nothing that others of our programs make', {}, view(live('x', { isMadeByUs: true })), undefined],
  ])('is %s', (_what, facts, seen, input) => {
    expect(plan(facts, seen)?.input).toBe(input);
  });

  it('stays the same while it is live', () => {
    expect(plan({}, view(live('new'), live('old')), 'live/old')?.input).toBe('live/old');
  });

  it('is encoded at low priority, within its memory limit, and published to our own server with the current secret', () => {
    const job = plan({}, view(live('show')));
    expect(job?.outputPlace).toBe('__defaultVhost__/live/show-trans');
    expect(job?.spec).toMatchObject({ key: 'transcode/main', niceness: 10, runsFor: 'c-show' });
    expect(job?.spec.memoryBytes).toBeGreaterThan(0);
    expect(job?.spec.args.at(-1)).toBe('rtmp://localhost/live/show-trans?secret=fresh');
    expect(job?.spec.secrets).toContain('fresh');
  });

  it('is published to other servers without that secret', () => {
    const job = plan(elsewhere, view(live('show')));
    expect(job?.outputPlace).toBeUndefined();
    expect(job?.spec.args.at(-1)).toBe('rtmp://video.example.com/live/show-trans');
    expect(job?.spec.secrets).toContain('show-trans');
  });
});
