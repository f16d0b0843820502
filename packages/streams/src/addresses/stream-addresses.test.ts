import { describe, expect, it } from 'vitest';
import { type AddressInput, type StreamAddresses, streamAddresses } from './stream-addresses.ts';

const environment = { rtmpPort: '1935', srtPort: '10080', httpPort: '' };
const page = { protocol: 'http:', hostname: 'live.example.com', port: '2022' };
const secret = { publish: 's3cret' };

const addressesOf = (change: Partial<AddressInput> = {}) => streamAddresses({ page, environment, secret, ...change });

/** The contract's table, row by row, for a console at http://live.example.com:2022. */
const table: StreamAddresses = {
  rtmpServer: 'rtmp://live.example.com/live/',
  rtmpStreamKey: 'livestream?secret=s3cret',
  srtPublishUrl: 'srt://live.example.com:10080?streamid=#!::r=live/livestream?secret=s3cret,m=publish',
  srtPlayUrl: 'srt://live.example.com:10080?streamid=#!::r=live/livestream,latency=20,m=request',
  flvUrl: 'http://live.example.com:2022/live/livestream.flv',
  m3u8Url: 'http://live.example.com:2022/live/livestream.m3u8',
  rtcUrl: 'webrtc://live.example.com:2022/live/livestream',
  rtcPublishUrl: 'webrtc://live.example.com:2022/live/livestream?secret=s3cret',
  flvPlayer: '/tools/player.html?url=http://live.example.com:2022/live/livestream.flv',
  hlsPlayer: '/tools/player.html?url=http://live.example.com:2022/live/livestream.m3u8',
  rtcPlayer: '/players/whep.html?schema=http&port=2022&api=2022&autostart=true&stream=livestream',
  rtcPublisher: '/players/whip.html?schema=https&port=2022&api=2022&autostart=true&stream=livestream&secret=s3cret',
  whipUrl: 'http://live.example.com:2022/rtc/v1/whip/?app=live&stream=livestream&secret=s3cret',
  whepUrl: 'http://live.example.com:2022/rtc/v1/whep/?app=live&stream=livestream',
  cnConsole: '/console/ng_index.html#/summaries?port=2022&http=2022',
  enConsole: '/console/en_index.html#/summaries?port=2022&http=2022',
  transcodeStreamName: 'livestream-trans',
  transcodeStreamKey: 'livestream-trans?secret=s3cret',
  transcodeFlvPlayer: '/tools/player.html?url=http://live.example.com:2022/live/livestream-trans.flv',
};
const names = Object.keys(table) as (keyof StreamAddresses)[];

describe('streamAddresses', () => {
  it.each(names)('builds %s as the contract says', (name) => {
    expect(addressesOf()[name]).toBe(table[name]);
  });

  it('uses the host of the media server for RTMP and SRT when that is another host', () => {
    const there = addressesOf({ environment: { ...environment, mediaHost: 'media.example.com' } });
    expect(there.rtmpServer).toBe('rtmp://media.example.com/live/');
    for (const url of [there.srtPublishUrl, there.srtPlayUrl])
      expect(url).toMatch(/^srt:\/\/media\.example\.com:10080\?/);
    const { rtmpServer: _rtmp, srtPublishUrl: _publish, srtPlayUrl: _play, ...others } = table;
    expect(there).toMatchObject(others);
  });

  it('returns nineteen addresses', () => {
    expect(Object.keys(addressesOf()).sort()).toEqual([...names].sort());
    expect(names).toHaveLength(19);
  });

  it.each([
    'srtPlayUrl',
    'flvUrl',
    'm3u8Url',
    'rtcUrl',
    'flvPlayer',
    'hlsPlayer',
    'rtcPlayer',
    'whepUrl',
    'cnConsole',
    'enConsole',
    'transcodeFlvPlayer',
  ] as const)('keeps the secret out of %s, which viewers get', (name) => {
    expect(addressesOf()[name]).not.toContain('secret');
  });

  it.each([undefined, { publish: '' }])('contains no secret when the secret is %j', (none) => {
    const addresses = addressesOf({ secret: none });
    for (const name of names) expect(addresses[name]).toBe(table[name].replace(/[?&]secret=s3cret/, ''));
  });
});

it('names the vhost in playback addresses, unless it is the default one', () => {
  const addresses = addressesOf({ vhost: 'other.example', page });
  expect(addresses.flvUrl).toMatch(/\/live\/livestream\.flv\?vhost=other\.example$/);
  expect(addresses.m3u8Url).toMatch(/\.m3u8\?vhost=other\.example$/);
  expect(addresses.whepUrl).toMatch(/&stream=livestream&vhost=other\.example$/);
  expect(addresses.rtcPlayer).toMatch(/&vhost=other\.example$/);
  expect(new URL(addresses.hlsPlayer, addresses.flvUrl).searchParams.get('url')).toBe(addresses.m3u8Url);
  expect(addressesOf({ vhost: '__defaultVhost__' })).toEqual(addressesOf());
});

describe('ports of stream addresses', () => {
  it.each(['', '1935', '80', '443'])('leave the default port %j out of RTMP and HTTP addresses', (port) => {
    const addresses = addressesOf({
      environment: { ...environment, rtmpPort: port, httpPort: port },
      page: { ...page, port: '' },
    });
    expect(addresses.rtmpServer).toBe('rtmp://live.example.com/live/');
    expect(addresses.flvUrl).toBe('http://live.example.com/live/livestream.flv');
    expect(addresses.rtcUrl).toBe('webrtc://live.example.com/live/livestream');
  });

  it('are included when they are not the default', () => {
    const addresses = addressesOf({ environment: { rtmpPort: '19350', srtPort: '443', httpPort: '8080' } });
    expect(addresses.rtmpServer).toBe('rtmp://live.example.com:19350/live/');
    expect(addresses.srtPlayUrl).toMatch(/^srt:\/\/live\.example\.com:443\?/);
    expect(addresses.m3u8Url).toBe('http://live.example.com:8080/live/livestream.m3u8');
    expect(addresses.rtcPlayer).toContain('port=8080&api=8080');
    expect(addresses.enConsole).toContain('port=8080&http=8080');
  });

  it('are left out of SRT addresses when there is no SRT port', () => {
    expect(addressesOf({ environment: { ...environment, srtPort: '' } }).srtPlayUrl).toMatch(
      /^srt:\/\/live\.example\.com\?/,
    );
  });

  it.each([
    ['http:', '80'],
    ['https:', '443'],
  ])('of a page over %s without one are %s for players and console', (protocol, port) => {
    const addresses = addressesOf({ page: { ...page, protocol, port: '' } });
    expect(addresses.rtcPlayer).toContain(`port=${port}&api=${port}`);
    expect(addresses.cnConsole).toContain(`port=${port}&http=${port}`);
  });
});

it('uses https when the page does, WebRTC included', () => {
  const addresses = addressesOf({ page: { ...page, protocol: 'https:', port: '2443' } });
  expect(addresses.flvUrl).toBe('https://live.example.com:2443/live/livestream.flv');
  expect(addresses.whipUrl).toMatch(/^https:\/\/live\.example\.com:2443\/rtc\/v1\/whip\//);
  expect(addresses.whepUrl).toMatch(/^https:\/\/live\.example\.com:2443\/rtc\/v1\/whep\//);
  expect(addresses.rtcUrl).toBe('webrtc://live.example.com:2443/live/livestream');
  expect(addresses.rtcPlayer).toContain('schema=https&port=2443');
  expect(addresses.rtcPublisher).toContain('schema=https&port=2443');
});

it('keeps the brackets of an IPv6 host', () => {
  const addresses = addressesOf({ page: { ...page, hostname: '[2001:db8::1]' } });
  expect(addresses.rtmpServer).toBe('rtmp://[2001:db8::1]/live/');
  expect(addresses.srtPlayUrl).toMatch(/^srt:\/\/\[2001:db8::1\]:10080\?/);
  expect(addresses.flvPlayer).toBe('/tools/player.html?url=http://[2001:db8::1]:2022/live/livestream.flv');
});

describe('paths of stream addresses', () => {
  it('may contain an app of several levels', () => {
    const addresses = addressesOf({ path: 'studio/one/show' });
    expect(addresses.rtmpServer).toBe('rtmp://live.example.com/studio/one/');
    expect(addresses.rtmpStreamKey).toBe('show?secret=s3cret');
    expect(addresses.srtPlayUrl).toContain('r=studio/one/show,');
    expect(addresses.m3u8Url).toBe('http://live.example.com:2022/studio/one/show.m3u8');
    expect(addresses.whepUrl).toContain('?app=studio/one&stream=show');
  });

  it('name the app for the WebRTC pages, which would use live by default', () => {
    const addresses = addressesOf({ path: 'studio/one/show' });
    expect(addresses.rtcPlayer).toMatch(/&stream=show&app=studio\/one$/);
    expect(addresses.rtcPublisher).toMatch(/&stream=show&app=studio\/one&secret=s3cret$/);
  });

  it.each([
    'rtmp://elsewhere.example.com:1935/live/show-trans?secret=other',
    'http://elsewhere.example.com/live/show-trans',
    'srt://elsewhere.example.com:10080/live/show-trans',
    '/live/show-trans',
    'live/show-trans?secret=other',
  ])('are parsed from %s', (path) => {
    const addresses = addressesOf({ path });
    expect(addresses.rtmpServer + addresses.rtmpStreamKey).toBe(
      'rtmp://live.example.com/live/show-trans?secret=s3cret',
    );
    expect(addresses.flvUrl).toBe('http://live.example.com:2022/live/show-trans.flv');
  });

  it.each(['', '/', 'rtmp://', 'rtmp://host'])('fall back to the default for %j', (path) => {
    expect(addressesOf({ path }).flvUrl).toBe(table.flvUrl);
  });

  it('use the app live for a name without an app', () => {
    expect(addressesOf({ path: 'show' }).rtmpServer).toBe('rtmp://live.example.com/live/');
  });

  it('encode special characters once per layer, so that a player decodes the original', () => {
    const addresses = addressesOf({ path: 'live/a&b c%20#d+é' });
    expect(addresses.rtmpStreamKey).toBe('a&b c%20?secret=s3cret');
    const plain = addressesOf({ path: 'live/a&b c+é' });
    expect(decodeURIComponent(new URL(plain.flvUrl).pathname)).toBe('/live/a&b c+é.flv');
    const player = new URL(plain.flvPlayer, 'http://x');
    expect(player.searchParams.get('url')).toBe(plain.flvUrl);
    expect(new URL(plain.whepUrl).searchParams.get('stream')).toBe('a&b c+é');
    expect(new URL(plain.rtcPlayer, 'http://x').searchParams.get('stream')).toBe('a&b c+é');
  });
});
