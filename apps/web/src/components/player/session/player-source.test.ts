import { describe, expect, it } from 'vitest';
import { parseSource } from './player-source.ts';

const plain = new URL('http://weir.test:2022/tools/player.html');
const secure = new URL('https://weir.test/tools/player.html');

describe('parseSource', () => {
  it.each([
    ['http://a.test/live/show.flv', 'flv', 'http://a.test/live/show.flv'],
    ['  http://a.test/live/show.flv?token=1 ', 'flv', 'http://a.test/live/show.flv?token=1'],
    ['http://a.test/live/show', 'flv', 'http://a.test/live/show'],
    ['http://a.test/live/show.m3u8', 'hls', 'http://a.test/live/show.m3u8'],
    ['http://a.test/live/show.ll.m3u8?hls_ctx=1', 'hls', 'http://a.test/live/show.ll.m3u8?hls_ctx=1'],
    ['http://a.test/play?file=show.m3u8', 'hls', 'http://a.test/play?file=show.m3u8'],
    ['http://a.test/live/show.ts', 'ts', 'http://a.test/live/show.ts'],
    ['http://a.test/record/show.MP4', 'file', 'http://a.test/record/show.MP4'],
    ['http://a.test/live/show.mp3', 'file', 'http://a.test/live/show.mp3'],
    ['/live/show.flv', 'flv', 'http://weir.test:2022/live/show.flv'],
    ['//a.test/live/show.flv', 'flv', 'http://a.test/live/show.flv'],
    ['http://a.test/rtc/v1/whep/?app=live&stream=x', 'whep', 'http://a.test/rtc/v1/whep/?app=live&stream=x'],
    ['webrtc://a.test:2022/live/x', 'whep', 'http://a.test:2022/rtc/v1/whep/?app=live&stream=x'],
    ['webrtc://a.test/a/b/x?secret=s', 'whep', 'http://a.test/rtc/v1/whep/?app=a%2Fb&stream=x&secret=s'],
  ])('plays %s as %s', (text, kind, url) => {
    expect(parseSource(text, plain)).toEqual({ source: { kind, url } });
  });

  it('resolves webrtc:// with the scheme of the page', () => {
    expect(parseSource('webrtc://a.test/live/x', secure)).toEqual({
      source: { kind: 'whep', url: 'https://a.test/rtc/v1/whep/?app=live&stream=x' },
    });
  });

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['javascript:alert(1)', 'scheme'],
    ['JaVaScRiPt:alert(1)//http://a.test/x.flv', 'scheme'],
    ['\u0001javascript:alert(1)', 'address'],
    ['data:text/html,<script>alert(1)</script>', 'scheme'],
    ['data:video/mp4;base64,AAAA', 'scheme'],
    ['blob:http://weir.test/1-2', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['filesystem:http://a.test/x.flv', 'scheme'],
    ['ws://a.test/live/show.flv', 'scheme'],
    ['rtmp://a.test/live/show', 'rtmp'],
    ['srt://a.test:10080?streamid=x', 'rtmp'],
    ['http://a.test/show.mpd', 'dash'],
    ['show.flv', 'address'],
    ['<img src=x onerror=alert(1)>', 'address'],
    ['http://', 'address'],
    ['http://user:word@a.test/live/show.flv', 'address'],
    ['webrtc://user:word@a.test/live/show', 'address'],
    ['webrtc://a.test/show', 'address'],
    [`http://a.test/${'x'.repeat(5000)}.flv`, 'address'],
  ])('does not play %s', (text, refusal) => {
    expect(parseSource(text, plain)).toEqual({ refusal });
  });

  it('rejects HTTP media on HTTPS pages and allows the reverse', () => {
    expect(parseSource('http://weir.test/live/show.flv', secure)).toEqual({ refusal: 'mixed' });
    expect(parseSource('https://weir.test/live/show.flv', plain)).toHaveProperty('source');
  });
});
