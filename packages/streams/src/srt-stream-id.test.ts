import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSrtStreamId, srtStreamId } from './srt-stream-id.ts';
import { defaultVhost, isUsableName } from './stream-place.ts';

const show = { vhost: defaultVhost, app: 'live', name: 'show' };

describe('an SRT stream ID', () => {
  it.each([
    ['#!::r=live/show,m=publish', 'publish', ''],
    ['#!::r=live/show?secret=S,m=publish', 'publish', 'secret=S'],
    ['#!::m=publish,r=live/show?secret=S&b=1', 'publish', 'b=1&secret=S'],
    ['#!::r=live/show,latency=20,m=request', 'request', 'latency=20'],
    ['#!::r=live/show', 'request', ''],
    ['#!::r=/live/show/,m=REQUEST', 'request', ''],
    ['#!::r=show,m=publish', 'publish', ''],
    ['#!::h=example.com,r=live/show,m=publish', 'publish', 'vhost=example.com'],
    ['#!::h=example.com,r=live/show?key1=a,key2=b', 'request', 'vhost=example.com&key1=a&key2=b'],
    ['#!::h=example.com:10080/live/show,m=publish', 'publish', 'vhost=example.com:10080'],
    ['#!::h=live/show?secret=S,m=publish', 'publish', 'secret=S'],
    ['#!::u=ann,r=live/show,t=stream,s=7,m=request', 'request', 's=7&t=stream&u=ann'],
    ['#!::r=live/show,m=bidirectional', 'unsupported', ''],
    ['live/show', 'unsaid', ''],
    ['/live/show', 'unsaid', ''],
    ['show', 'unsaid', ''],
    ['live/show?secret=S', 'unsaid', 'secret=S'],
    ['live/show,secret=S', 'unsaid', 'secret=S'],
    ['live%2Fshow', 'unsaid', ''],
    ['%23!::r=live/show?secret=S,m=publish', 'publish', 'secret=S'],
    ['%23%21%3A%3Ar%3Dlive%2Fshow%3Fsecret%3DS%2Cm%3Dpublish', 'publish', 'secret=S'],
  ])('%s', (id, mode, param) => {
    expect(parseSrtStreamId(id)).toEqual({ ...show, mode, param });
  });

  it('without a name means the default stream, as in SRS', () => {
    expect(parseSrtStreamId('')).toMatchObject({ app: 'live', name: 'livestream', mode: 'unsaid' });
  });

  it('has the last part of its path as the name, like an HTTP address', () => {
    expect(parseSrtStreamId('#!::r=a/b/c')).toMatchObject({ app: 'a/b', name: 'c' });
    expect(parseSrtStreamId('#!::h=host/a/b/c')).toMatchObject({ app: 'a/b', name: 'c', vhost: defaultVhost });
  });

  it('changes the vhost only when it names one', () => {
    expect(parseSrtStreamId('#!::r=live/show?vhost=other')).toMatchObject({ vhost: 'other', param: 'vhost=other' });
  });

  it('keeps a repeated secret, so that one cannot hide the other', () => {
    expect(parseSrtStreamId('#!::r=live/show?secret=A,secret=B')?.param).toBe('secret=A&secret=B');
  });

  it.each([
    ['without a resource', '#!::m=publish'],
    ['with an empty resource', '#!::r=,m=publish'],
    ['with two resources', '#!::r=live/a,r=live/b'],
    ['with two modes', '#!::r=live/a,m=request,m=publish'],
    ['with a path in both', '#!::h=host/live/a,r=live/b'],
    ['that climbs', '#!::r=live/../../etc'],
    ['with an empty segment', '#!::r=live//a'],
    ['with a backslash', 'live/a\\b'],
    ['with a NUL', 'live/a\0'],
    ['with a line break', '#!::r=live/a\r\nX: y'],
    ['with an encoded NUL', '%23!::r=live/a%00'],
    ['with a broken encoding', '%23!::r=live/%zz'],
    ['with a name of dots', '..'],
    ['longer than the protocol allows', `live/${'a'.repeat(512)}`],
  ])('%s names nothing', (_what, id) => {
    expect(parseSrtStreamId(id)).toBeUndefined();
  });

  it('of any text gives valid names or nothing', () => {
    const piece = fc.constantFrom(
      '#!::',
      'r=',
      'h=',
      'm=publish',
      ',',
      '?',
      '&',
      '/',
      '..',
      '%23!',
      '%2F',
      '%',
      'a',
      '\0',
    );
    const id = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.array(piece).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(id, (text) => {
        const asked = parseSrtStreamId(text);
        return !asked || (isUsableName(asked.app) && isUsableName(asked.name) && !/[\p{Cc}?]/u.test(asked.param));
      }),
      { numRuns: 1000 },
    );
  });
});

it('parseSrtStreamId reads what srtStreamId wrote', () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9_.-]{1,20}$/).filter((text) => text !== '.' && text !== '..');
  const mode = fc.constantFrom('publish' as const, 'request' as const);
  fc.assert(
    fc.property(word, word, word, mode, (app, name, token, wanted) => {
      const id = srtStreamId({ app, name: `${name}?secret=S` }, wanted, { token, vhost: 'studio' });
      const param = `secret=S&token=${token}&vhost=studio`;
      expect(parseSrtStreamId(id)).toEqual({ mode: wanted, vhost: 'studio', app, name, param });
    }),
  );
});
