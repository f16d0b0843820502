import { engineRefusals, MalformedMessage } from '@weir/streams';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientHookBody, type HookAction, type HookClient, hookProtocols, parseClientHook } from './client-hook.ts';
import type { FinishedSegment } from './finished-segment.ts';
import { parseSegmentHook, segmentHookBody } from './segment-hook.ts';

const name = fc.string({ minLength: 1, maxLength: 512 });
const anyClient: fc.Arbitrary<HookClient> = fc.record({
  serverId: fc.string(),
  serviceId: fc.string(),
  id: fc.string({ minLength: 1 }),
  address: fc.oneof(fc.ipV4(), fc.ipV6()),
  place: fc.record({ vhost: name, app: name, name }),
  param: fc.string(),
  tcUrl: fc.string(),
  protocol: fc.constantFrom(...hookProtocols),
});
const container: fc.Arbitrary<Pick<FinishedSegment, 'format' | 'init'>> = fc.constantFrom(
  { format: 'mpegts' },
  { format: 'fmp4', init: { id: '0123456789abcdef'.repeat(2), file: '/x.mp4' } },
);
const anyFacts = fc.record({
  id: fc.uuid(),
  vhost: name,
  app: name,
  stream: name,
  clientId: fc.string({ minLength: 1 }),
  file: fc.string({ minLength: 1 }),
  durationMs: fc.nat({ max: 3_600_000 }),
  sequence: fc.nat(),
  isDiscontinuity: fc.constantFrom(true, false, undefined),
});
const anySegment: fc.Arbitrary<FinishedSegment> = fc
  .tuple(anyFacts, container)
  .map(([facts, rest]) => ({ ...facts, ...rest }));
const sent = (body: object): unknown => JSON.parse(JSON.stringify(body));

const client: HookClient = {
  serverId: 'vid-1',
  serviceId: 's',
  id: 'c1',
  address: '198.51.100.7',
  param: '?secret=S',
  tcUrl: 'rtmp://h/live',
  place: { vhost: '__defaultVhost__', app: 'live', name: 'show' },
  protocol: 'srt',
};
const place = { url: 'live/show-7.ts', m3u8: '/hls/live/show.m3u8', m3u8Url: 'live/show.m3u8' };

describe('a client hook', () => {
  it('is parsed as it was written', () => {
    const actions: HookAction[] = ['on_publish', 'on_play', 'on_play_asked', 'on_stop'];
    fc.assert(
      fc.property(anyClient, fc.constantFrom(...actions), fc.boolean(), (one, action, isPreview) => {
        const { vhost, app, name: stream } = one.place;
        expect(parseClientHook(sent(clientHookBody(action, one, { isPreview })))).toEqual({
          action,
          vhost,
          app,
          stream,
          client_id: one.id,
          server_id: one.serverId,
          ip: one.address,
          param: one.param,
          protocol: one.protocol,
          reason: undefined,
          isPreview,
          input: '',
          isProgram: false,
          link: '',
        });
      }),
    );
  });

  it('names the input of a program, or the program that publishes', () => {
    const read = (more: Parameters<typeof clientHookBody>[2]) => {
      const { input, isProgram } = parseClientHook(sent(clientHookBody('on_publish', client, more)));
      return [input, isProgram];
    };
    expect(read({ input: 'backup' })).toEqual(['backup', false]);
    expect(read({ isProgram: true })).toEqual(['', true]);
  });

  it.each(engineRefusals)('reports that a publisher was refused: %s', (reason) => {
    expect(parseClientHook(sent(clientHookBody('on_publish_refused', client, { reason }))).reason).toBe(reason);
  });

  it('of SRS is parsed without our own fields', () => {
    const body = { action: 'on_play', client_id: 'c', app: 'live', stream: 'show', vhost: null, protocol: 'quic' };
    expect(parseClientHook(body)).toMatchObject({ vhost: '__defaultVhost__', protocol: '', ip: '', isPreview: false });
  });

  it.each([
    [{ action: undefined }, 'action is required'],
    [{ action: 7 }, 'action: must be of type string'],
    [{ client_id: '' }, 'client_id: must be at least 1 characters'],
    [{ app: '' }, 'app: must be at least 1 characters'],
    [{ stream: null }, 'stream is required'],
    [{ stream: 'x'.repeat(513) }, 'stream: must be at most 512 characters'],
    [{ ip: 'x'.repeat(65) }, 'ip: must be at most 64 characters'],
    [{ preview: 'yes' }, 'preview: must be of type boolean'],
    [{ action: 'on_publish_refused' }, 'reason is required'],
    [{ action: 'on_publish_refused', reason: 'full' }, 'reason: must be one of in-use, too-many, memory'],
  ])('is refused with %j', (change, message) => {
    const body = { ...clientHookBody('on_play', client), ...change };
    expect(() => parseClientHook(body)).toThrow(expect.objectContaining({ name: 'MalformedMessage', message }));
  });

  it.each([undefined, null, 7, 'text'])('is not parsed from %j', (body) => {
    expect(() => parseClientHook(body)).toThrow(MalformedMessage);
  });

  it('ignores fields of the prototype', () => {
    const body = { action: 'on_play', client_id: 'c', app: 'live', stream: 'show' };
    expect(() => parseClientHook(Object.create(body))).toThrow('action is required');
  });
});

describe('a segment hook', () => {
  it('is parsed as it was written', () => {
    fc.assert(
      fc.property(anySegment, anyClient, (segment, one) => {
        const { vhost, app, stream } = segment;
        const publisher = { ...one, id: segment.clientId, place: { vhost, app, name: stream } };
        expect(parseSegmentHook(sent(segmentHookBody(segment, publisher, place)))).toEqual(segment);
      }),
    );
  });

  it('has the field names of SRS, and no secret of its publisher', () => {
    const [segment] = fc.sample(anySegment, 1);
    if (!segment) throw new Error('no segment');
    const body = segmentHookBody({ ...segment, durationMs: 2000, sequence: 7 }, client, place);
    expect(body).toMatchObject({
      action: 'on_hls',
      duration: 2,
      seq_no: 7,
      m3u8_url: 'live/show.m3u8',
      stream: 'show',
    });
    expect(body).not.toHaveProperty('param');
    expect(body).not.toHaveProperty('tcUrl');
  });

  it.each([
    [{ action: 'on_publish' }, 'action: must be on_hls'],
    [{ segment_id: '../../x' }, 'segment_id: must be a UUID'],
    [{ quality: '../240p' }, 'quality: must be a quality'],
    [{ file: '' }, 'file: must be at least 1 characters'],
    [{ duration: -1 }, 'duration: must be a number, and not negative'],
    [{ duration: '2' }, 'duration: must be a number, and not negative'],
    [{ seq_no: 1.5 }, 'seq_no: must be a whole number'],
    [{ seq_no: undefined }, 'seq_no is required'],
    [{ discontinuity: 1 }, 'discontinuity: must be of type boolean'],
  ])('is refused with %j', (change, message) => {
    const [segment] = fc.sample(anySegment, 1);
    if (!segment) throw new Error('no segment');
    expect(() => parseSegmentHook({ ...segmentHookBody(segment, client, place), ...change })).toThrow(
      expect.objectContaining({ name: 'MalformedMessage', message }),
    );
  });
});
