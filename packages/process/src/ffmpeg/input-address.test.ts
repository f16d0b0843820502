import { describe, expect, it } from 'vitest';
import { rebuildAddress } from './input-address.ts';

describe('rebuildAddress', () => {
  it.each([
    'rtsp://121.1.2.3',
    'rtsp://CamViewer:abc123@121.1.2.3:554/Streaming/Channels/101',
    'rtsp://camera.test/a?user=x@y&z=/1',
    'rtsp://camera.test?user=x',
    'rtsp://user:p%40ss@camera.test/a',
    'rtsp://user@camera.test/a@b',
    'rtsp://camera.test:554/a@b',
    'rtsp://user:pa%2Fss@camera.test/a',
    'rtsp://[2001:db8::1]:554/a',
    'srt://213.171.194.158:10080?streamid=#!::r=live/primary,latency=20,m=request',
    'http://h/a.m3u8?list=1',
    '/data/a file',
    '',
  ])('leaves %s unchanged', (address) => {
    expect(rebuildAddress(address)).toBe(address);
  });

  it.each([
    [
      'rtsp://CamViewer:abc123?!@121.1.2.3:554/Streaming/Channels/101',
      'rtsp://CamViewer:abc123%3F%21@121.1.2.3:554/Streaming/Channels/101',
    ],
    ['rtsp://CamViewer:abc123@?!@121.1.2.3:554', 'rtsp://CamViewer:abc123%40%3F%21@121.1.2.3:554'],
    ['rtsp://Cam@Viewer:abc123@?!@121.1.2.3:554', 'rtsp://Cam%40Viewer:abc123%40%3F%21@121.1.2.3:554'],
    [
      'rtsp://CamViewer:abc123@?!~#$%^&*()_+-=\\|?@121.1.2.3:554/Streaming/Channels/101',
      'rtsp://CamViewer:abc123%40%3F%21~%23$%25%5E&%2A%28%29_+-=%5C%7C%3F@121.1.2.3:554/Streaming/Channels/101',
    ],
    ['rtsp://ädmin:a b@h/x', 'rtsp://%C3%A4dmin:a%20b@h/x'],
    ['rtsp://u:a:b#c@h/x', 'rtsp://u:a%3Ab%23c@h/x'],
    ['rtsp://u:pa/ss@10.0.0.5:554/1', 'rtsp://u:pa%2Fss@10.0.0.5:554/1'],
    ['rtsp://u:p@/s//s@h/x?y=1', 'rtsp://u:p%40%2Fs%2F%2Fs@h/x?y=1'],
    ['rtsp://u:p?/s@h', 'rtsp://u:p%3F%2Fs@h'],
    ['rtsp://u:/@[2001:db8::1]:554/x', 'rtsp://u:%2F@[2001:db8::1]:554/x'],
  ])('encodes the login of %s so that it is parsed correctly', (address, rebuilt) => {
    expect(rebuildAddress(address)).toBe(rebuilt);
    expect(new URL(rebuilt).hostname).toBe(new URL(rebuilt.replace(/\/\/.*@/, '//')).hostname);
  });
});
