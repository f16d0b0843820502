import { ForwardOutlet } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import type { LiveInput, LiveView } from '../../outlets/live-inputs.ts';
import { planForward } from './forward-plan.ts';

function live(stream: string, facts: Partial<LiveInput> = {}): LiveInput {
  const input = { kind: 'live', url: `rtmp://127.0.0.1:1935/live/${stream}` } as const;
  const place = { vhost: '__defaultVhost__', app: 'live', stream, name: `live/${stream}` };
  const ofQuality = (quality: string) => ({ ...input, url: `${input.url}?quality=${quality}` });
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
  const isOwn = (url: string) => url.startsWith('rtmp://localhost/');
  return {
    streams,
    ownPlaceOf: (url) => (isOwn(url) ? url.replace('rtmp://localhost', '__defaultVhost__') : undefined),
    isLoop: () => false,
  };
}

const outlet = (facts: Partial<ForwardOutlet> = {}) =>
  ForwardOutlet.parse({ platform: 'wx', server: 'rtmp://to.test/live', secret: 'the-key', enabled: true, ...facts });

const none = new Map<string, string>();
const plan = (outlets: ForwardOutlet[], seen: LiveView, taken: ReadonlyMap<string, string> = none) =>
  planForward(outlets, seen, taken).map(({ platform, stream }) => `${platform} ${stream}`);

describe('the forwarded stream', () => {
  it.each<[string, ForwardOutlet[], LiveView, string[]]>([
    ['nothing without a stream', [outlet()], view(), []],
    ['nothing to a destination that is off', [outlet({ enabled: false })], view(live('show')), []],
    ['nothing without an address', [outlet({ server: '' })], view(live('show')), []],
    ['the newest', [outlet()], view(live('new'), live('old')), ['wx live/new']],
    ['the named one', [outlet({ stream: 'old' })], view(live('new'), live('old')), ['wx live/old']],
    ['nothing while the named one is away', [outlet({ stream: 'old' })], view(live('new')), []],
    ['never what we make', [outlet()], view(live('trans', { isMadeByUs: true }), live('old')), ['wx live/old']],
    [
      'what we make, by its name',
      [outlet({ stream: 'trans' })],
      view(live('trans', { isMadeByUs: true })),
      ['wx live/trans'],
    ],
    [
      'never to itself',
      [outlet({ stream: 'show', server: 'rtmp://localhost/live', secret: 'show' })],
      view(live('show')),
      [],
    ],
    [
      'each by its own rule',
      [outlet(), outlet({ platform: 'bilibili', stream: 'b' }), outlet({ platform: 'kuaishou', stream: 'c' })],
      view(live('a'), live('b')),
      ['wx live/a', 'bilibili live/b'],
    ],
  ])('is %s', (_what, outlets, seen, expected) => {
    expect(plan(outlets, seen)).toEqual(expected);
  });

  it('stays the same while it is live, also when another stream starts', () => {
    const seen = view(live('new'), live('old'));
    expect(plan([outlet()], seen, new Map([['wx', 'live/old']]))).toEqual(['wx live/old']);
    expect(plan([outlet()], seen, new Map([['wx', 'live/gone']]))).toEqual(['wx live/new']);
    expect(plan([outlet({ stream: 'new' })], seen, new Map([['wx', 'live/old']]))).toEqual(['wx live/new']);
  });
});

describe('the forward process of a destination', () => {
  it('copies into the container of the protocol, hides its key, and is informed of a new publisher', () => {
    const [job] = planForward([outlet()], view(live('show')), none);
    expect(job?.spec).toMatchObject({ key: 'forward/wx', secrets: ['the-key'], runsFor: 'c-show' });
    const args = job?.spec.args ?? [];
    expect(args.join(' ')).toContain('-i rtmp://127.0.0.1:1935/live/show -c copy -f flv');
    expect(args.at(-1)).toBe('rtmp://to.test/live/the-key');
    const srt = outlet({ server: 'srt://to.test:10080?streamid=#!::r=live/x,m=publish', secret: '' });
    expect(planForward([srt], view(live('show')), none)[0]?.spec.args.slice(-5)).toEqual([
      '-pes_payload_size',
      '0',
      '-f',
      'mpegts',
      'srt://to.test:10080?streamid=#!::r=live/x,m=publish',
    ]);
  });

  it('reads the quality that is wanted, and the best one otherwise', () => {
    const from = (quality: string) => planForward([outlet({ quality })], view(live('show')), none)[0]?.from;
    expect(from('720p')).toMatchObject({ url: 'rtmp://127.0.0.1:1935/live/show?quality=720p' });
    expect(from('')).toMatchObject({ url: 'rtmp://127.0.0.1:1935/live/show' });
    for (const quality of ['720', '720p&secret=x', 'best', `${'9'.repeat(9)}p`])
      expect(() => outlet({ quality })).toThrow();
  });

  it('is not restarted by a change of the label', () => {
    const args = (facts: Partial<ForwardOutlet>) =>
      planForward([outlet(facts)], view(live('show')), none)[0]?.spec.args;
    expect(args({ label: 'other', custom: true })).toEqual(args({}));
    expect(args({ secret: 'other' })).not.toEqual(args({}));
  });
});
