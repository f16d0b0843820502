import { describe, expect, it } from 'vitest';
import { readStreamAddress } from './stream-address.ts';

describe('a source address with a password', () => {
  it('is shown by its host, and its secrets are listed for redaction', () => {
    expect(readStreamAddress('rtsp://Cam@Viewer:abc123@?!@121.1.2.3:554/a/b')).toMatchObject({
      scheme: 'rtsp',
      hostname: '121.1.2.3',
      host: '121.1.2.3:554',
      name: 'b',
      secrets: ['abc123%40%3F%21', 'abc123@?!'],
    });
  });
});

describe('the address of a live source', () => {
  it.each([
    ['rtmp://localhost/live/livestream', 'livestream'],
    ['rtmps://example.com/live/livestream?secret=x', 'livestream'],
    ['srt://example.com:10080?streamid=#!::r=live/x', 'example.com:10080'],
    ['rtsp://10.0.0.5/stream1', 'stream1'],
    ['http://example.com/live/a.flv', 'a.flv'],
    ['HTTPS://example.com/live/a.m3u8?x=1', 'a.m3u8'],
    ['http://example.com/live/a.ts', 'a.ts'],
    ['http://example.com/play?file=a.flv', 'play'],
  ])('may be %s', (typed, name) => {
    expect(readStreamAddress(` ${typed} `).name).toBe(name);
  });

  it.each([
    ['', 'url is required'],
    ['  ', 'url is required'],
    ['ftp://example.com/a.flv', 'invalid url scheme'],
    ['file:///etc/passwd', 'invalid url scheme'],
    ['concat:http://a/b.ts|c.ts', 'invalid url scheme'],
    ['data:text/plain,x', 'invalid url scheme'],
    ['-i rtmp://a/b', 'invalid url scheme'],
    ['/etc/passwd', 'invalid url scheme'],
    ['rtmp:/live', 'invalid url scheme'],
    ['http://example.com/', 'invalid url path suffix'],
    ['http://example.com/movie.mp4', 'invalid url path suffix'],
    ['http://example.com/live.tsx', 'invalid url path suffix'],
    ['rtmp://', 'must be a full URL'],
    ['rtmp:///live/x', 'must be a full URL'],
    ['rtmp://a b/live', 'must be a full URL'],
    ['rtmp://host/live\n-i /etc/passwd', 'must be a full URL'],
    [`rtmp://host/${'x'.repeat(5000)}`, 'must be a full URL'],
  ])('is refused when it is %j: %s', (typed, why) => {
    expect(() => readStreamAddress(typed)).toThrow(why);
  });
});
