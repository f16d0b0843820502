import { expect, it } from 'vitest';
import { RtspGuard } from './rtsp-guard.ts';

const redirect = 'RTSP/1.0 302 Moved\r\nCSeq: 1\r\nLocation: rtsp://169.254.169.254/\r\n\r\n';

it.each([
  redirect,
  'RTSP/1.0 301\r\n\r\n',
  'RTSP/1.0   0305 x\r\n\r\n',
  'RTSP/1.0 200 OK\r\nlocation : rtsp://h/\r\n\r\n',
  'junk RTSP/1.0 302 x\r\n',
])('S39: prevents an RTSP server from redirecting elsewhere: %j', (text) => {
  for (const step of [1, 3, text.length]) {
    const guard = new RtspGuard();
    const chunks = text.match(new RegExp(`[^]{1,${step}}`, 'g')) ?? [];
    expect(chunks.every((chunk) => guard.passes(Buffer.from(chunk)))).toBe(false);
  }
});

it('passes an RTSP dialogue and its stream', () => {
  const guard = new RtspGuard();
  guard.ask(Buffer.from('DESCRIBE rtsp://h/ RTSP/1.0\r\n\r\n'));
  expect(
    guard.passes(Buffer.from('RTSP/1.0 200 OK\r\nContent-Base: rtsp://h/\r\n\r\nv=0\r\nm=video 0 RTP/AVP 96\r\n')),
  ).toBe(true);
  guard.ask(Buffer.from('SETUP x\r\n\r\nPL'));
  guard.ask(Buffer.from('AY rtsp://h/ RTSP/1.0\r\n\r\n'));
  // Pictures may hold any bytes.
  expect(guard.passes(Buffer.from(redirect))).toBe(true);
});

it('stops reading a session description that is too long', () => {
  const guard = new RtspGuard();
  expect(guard.passes(Buffer.alloc(300 * 1024, 'a'))).toBe(false);
});
