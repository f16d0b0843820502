import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  deleteSession,
  OfferRejectedError,
  parseQualities,
  parseRefusal,
  parseRetryAfter,
  postOffer,
  resolveSessionUrl,
} from './signaling.ts';

const address = 'http://weir.test/rtc/v1/whep/?app=live&stream=x';
const answer = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\n';
const signal = new AbortController().signal;

function answerWith(body: string, init: ResponseInit) {
  const fetched = vi.fn(async (_url: string, _init?: RequestInit) => new Response(body, init));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}
afterEach(() => vi.unstubAllGlobals());

describe('postOffer', () => {
  it('posts the offer without cookies and returns answer and location', async () => {
    const fetched = answerWith(answer, {
      status: 201,
      headers: { 'weir-qualities': '720p, 360p', location: '/rtc/v1/whep/resource/1' },
    });
    expect(await postOffer(address, 'v=0 offer', signal)).toEqual({
      answer,
      location: 'http://weir.test/rtc/v1/whep/resource/1',
      qualities: ['720p', '360p'],
    });
    expect(fetched.mock.calls[0]).toEqual([
      address,
      expect.objectContaining({
        method: 'POST',
        body: 'v=0 offer',
        headers: { 'content-type': 'application/sdp' },
        credentials: 'omit',
      }),
    ]);
  });

  it('accepts status 200 of older servers and a missing location', async () => {
    answerWith(answer, { status: 200 });
    expect(await postOffer(address, 'v=0', signal)).toEqual({ answer, location: undefined, qualities: [] });
  });

  it('rejects with status, message and retry delay', async () => {
    answerWith('{"code":1005,"data":{"message":"starting"}}', { status: 503, headers: { 'retry-after': '7' } });
    const refused = await postOffer(address, 'v=0', signal).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OfferRejectedError);
    expect(refused).toMatchObject({ status: 503, message: 'starting', retryAfterSeconds: 7 });
  });

  it('rejects a web page as an answer', async () => {
    answerWith('<html>hello</html>', { status: 200 });
    await expect(postOffer(address, 'v=0', signal)).rejects.toThrow('the answer is not a session description');
  });
});

it.each([
  ['/r/1', 'http://weir.test/r/1'],
  ['r/1', 'http://weir.test/rtc/v1/whep/r/1'],
  ['https://other.test/r/1', 'https://other.test/r/1'],
  ['javascript:alert(1)', undefined],
  ['http://', undefined],
  [null, undefined],
])('ends a session with Location %s at %s', (location, place) => {
  expect(resolveSessionUrl(location, address)).toBe(place);
});

it('deletes the session with keepalive and ignores failures', async () => {
  const fetched = vi.fn(async (_url: string, _init?: RequestInit) => Promise.reject(new TypeError('gone')));
  vi.stubGlobal('fetch', fetched);
  deleteSession('http://weir.test/r/1');
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'DELETE', keepalive: true });
});

it.each([
  ['{"code":3000,"data":{"message":"the secret is wrong"}}', 'the secret is wrong'],
  ['{"type":"about:blank","title":"Conflict","detail":"in use"}', 'in use'],
  ['{"title":"Conflict"}', 'Conflict'],
  ['stream is busy', 'stream is busy'],
  ['<html><script>alert(1)</script>', ''],
  ['{"detail":{"a":1}}', ''],
  ['{broken', '{broken'],
  ['x'.repeat(1000), 'x'.repeat(300)],
])('parses the refusal %s', (body, text) => {
  expect(parseRefusal(body)).toBe(text);
});

it.each([
  ['5', 5],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ['-1', undefined],
  [null, undefined],
])('reads Retry-After %s as %s', (header, seconds) => {
  expect(parseRetryAfter(header)).toBe(seconds);
});

it.each([
  [null, []],
  ['720p, 360p', ['720p', '360p']],
  ['720p,<b>,../x, 360p-2', ['720p', '360p-2']],
])('reads the qualities of %s', (header, names) => {
  expect(parseQualities(header)).toEqual(names);
});
