import { describe, expect, it } from 'vitest';
import { maskSecret } from './mask-secret.ts';
import { selectPageLocale } from './page-locale.ts';
import { encodePath, formatAuthority, parseHost, parsePort } from './page-parameters.ts';
import { parsePartsRequest, parseStartSecond, parseUrlRequest, toRecordedSource } from './player/player-address.ts';
import { parseRoute, routeHash } from './server-console/console-route.ts';
import { previewAddress } from './server-console/streams-view.tsx';
import { buildWatchUrl, lowLatencyHlsPage, toolLinks } from './tool-links.ts';
import { parseOlderRtcRequest, parseRtcAddress, parseRtcRequest } from './webrtc-address.ts';
import { defaultChoices, parseChoices } from './whip/publishing/publish-choices.ts';
import { toCaptureFailure } from './whip/publishing/publish-failure.ts';
import { sortByPreference } from './whip/publishing/whip-publisher.ts';
import { measureLevel } from './whip/self-view.tsx';

const at = (path: string, origin = 'http://weir.test:2022') => new URL(path, origin);

describe('srs_player.html', () => {
  const of = (query: string, origin?: string) =>
    parsePartsRequest(at(`/players/srs_player.html${query}`, origin)).address;

  it.each([
    ['', 'http://weir.test:2022/live/livestream.flv'],
    ['?stream=show.m3u8', 'http://weir.test:2022/live/show.m3u8'],
    ['?app=a/b&stream=show', 'http://weir.test:2022/a/b/show.flv'],
    ['?server=other.test', 'http://other.test:8080/live/livestream.flv'],
    ['?server=other.test&port=80', 'http://other.test/live/livestream.flv'],
    ['?schema=https&port=443', 'https://weir.test/live/livestream.flv'],
    ['?vhost=v.test', 'http://weir.test:2022/live/livestream.flv?vhost=v.test'],
    ['?domain=v.test&token=1', 'http://weir.test:2022/live/livestream.flv?vhost=v.test&token=1'],
    ['?autostart=true&buffer=3&api_port=1985&shp_identify=x', 'http://weir.test:2022/live/livestream.flv'],
    ['?schema=rtmp&stream=show', 'rtmp://weir.test/live/show'],
    ['?url=http://a.test/x.flv', 'http://a.test/x.flv'],
  ])('plays with %s the URL %s', (query, address) => {
    expect(of(query)).toBe(address);
  });

  it.each([
    ['?server=evil.test/path%3F', 'http://weir.test:2022/live/livestream.flv'],
    ['?server=user@evil.test', 'http://weir.test:2022/live/livestream.flv'],
    ['?port=80@evil.test', 'http://weir.test:2022/live/livestream.flv'],
    ['?schema=javascript', 'http://weir.test:2022/live/livestream.flv'],
    ['?app=..%2f..%2f&stream=x%3Fy%23z.flv', 'http://weir.test:2022/live/x%3Fy%23z.flv'],
    ['?stream="><script>.flv', 'http://weir.test:2022/live/%22%3E%3Cscript%3E.flv'],
  ])('treats the hostile %s as text', (query, address) => {
    expect(of(query)).toBe(address);
  });

  it('starts automatically only on request, and always in player.html', () => {
    expect(parsePartsRequest(at('/players/srs_player.html')).autoStart).toBe(false);
    expect(parsePartsRequest(at('/players/srs_player.html?autostart=true')).autoStart).toBe(true);
    expect(parseUrlRequest(at('/tools/player.html?url=x'))).toEqual({ address: 'x', autoStart: true });
  });
});

describe('WHIP and WHEP pages', () => {
  it.each([
    ['', 'http://weir.test:2022/rtc/v1/whep/?app=live&stream=livestream'],
    ['?stream=show&api=80', 'http://weir.test/rtc/v1/whep/?app=live&stream=show'],
    ['?schema=http&port=2022&api=2022&autostart=true&stream=x', 'http://weir.test:2022/rtc/v1/whep/?app=live&stream=x'],
    ['?schema=https&stream=x', 'http://weir.test:2022/rtc/v1/whep/?app=live&stream=x&schema=https'],
    ['?server=other.test', 'http://other.test:1985/rtc/v1/whep/?app=live&stream=livestream'],
    ['?vhost=v.test', 'http://weir.test:2022/rtc/v1/whep/?app=live&stream=livestream&vhost=v.test'],
    ['?secret=s&eip=1.2.3.4', 'http://weir.test:2022/rtc/v1/whep/?app=live&stream=livestream&secret=s&eip=1.2.3.4'],
    ['?path=/custom/whep/', 'http://weir.test:2022/custom/whep/?app=live&stream=livestream'],
    ['?path=//evil.test/whep/', 'http://weir.test:2022//evil.test/whep/?app=live&stream=livestream'],
    ['?path=@evil.test/whep/', 'http://weir.test:2022/rtc/v1/whep/?app=live&stream=livestream'],
    ['?stream=a%26secret=b', 'http://weir.test:2022/rtc/v1/whep/?app=live&stream=a%26secret%3Db'],
  ])('call with %s the URL %s', (query, address) => {
    expect(parseRtcRequest(at(`/players/whep.html${query}`), 'whep').address).toBe(address);
  });

  it('use the older address form on older pages', () => {
    const { address } = parseOlderRtcRequest(at('/players/rtc_publisher.html?stream=show&secret=s'));
    expect(address).toBe('webrtc://weir.test:2022/live/show?secret=s');
    expect(parseRtcAddress(address, at('/'), 'whip')).toEqual({
      url: at('/rtc/v1/whip/?app=live&stream=show&secret=s'),
    });
  });

  it.each([
    ['http://a.test/rtc/v1/whep/?app=live', 'path'],
    ['javascript:/whip/', 'scheme'],
    ['', 'empty'],
  ])('reject %s as address for an offer', (address, refusal) => {
    expect(parseRtcAddress(address, at('/'), 'whip')).toEqual({ refusal });
  });

  it('link viewers without the publish secret', () => {
    const whip = at('/rtc/v1/whip/?app=live&stream=show&secret=s');
    expect(buildWatchUrl(whip, at('/'))).toBe('/players/whep.html?app=live&stream=show&autostart=true');
    expect(buildWatchUrl(new URL('http://o.test:1985/rtc/v1/whip/?stream=a'), at('/'))).toBe(
      '/players/whep.html?stream=a&server=o.test&api=1985&autostart=true',
    );
  });

  it('mask the secret unless the address is edited', () => {
    expect(maskSecret('http://a.test/?app=live&secret=abc&eip=1')).toBe('http://a.test/?app=live&secret=••••••&eip=1');
    expect(maskSecret('webrtc://a.test/live/x?secret=abc')).toBe('webrtc://a.test/live/x?secret=••••••');
  });
});

it('keeps the query in tool links, except autostart and secret', () => {
  const links = toolLinks('whip', at('/players/whip.html?stream=show&secret=s&autostart=true&lang=zh'), (tool) => tool);
  expect(links.map(({ href, isCurrent }) => [href, isCurrent])).toEqual([
    ['/players/srs_player.html?stream=show&lang=zh', false],
    ['/players/whep.html?stream=show&lang=zh', false],
    ['/players/whip.html?stream=show&secret=s&lang=zh', true],
  ]);
  const [, whep] = toolLinks('srs_player', at('/players/srs_player.html?stream=show.flv'), (tool) => tool);
  expect(whep?.href).toBe('/players/whep.html?stream=show');
});

describe('parameters', () => {
  it.each([
    ['a.test', 'a.test'],
    ['[::1]', '[::1]'],
    ['a.test:80', 'page'],
    ['a/b', 'page'],
    [null, 'page'],
  ])('parses the host %s as %s', (text, host) => {
    expect(parseHost(text, 'page')).toBe(host);
  });

  it('parses ports, omits default ones and encodes paths', () => {
    expect(['0', '65536', '1e3', '443', null].map(parsePort)).toEqual([
      undefined,
      undefined,
      undefined,
      '443',
      undefined,
    ]);
    expect(formatAuthority('https:', 'a.test', '443')).toBe('a.test');
    expect(formatAuthority('http:', 'a.test', '443')).toBe('a.test:443');
    expect(encodePath('/a//../b?c/')).toBe('a/b%3Fc');
  });
});

it.each([
  [{ fixed: 'zh', asked: 'en', stored: 'en', spoken: [] }, 'zh'],
  [{ fixed: undefined, asked: 'zh-cn', stored: 'en', spoken: ['en-US'] }, 'zh'],
  [{ fixed: undefined, asked: 'jp', stored: undefined, spoken: ['ja', 'zh-TW', 'en'] }, 'zh'],
  [{ fixed: undefined, asked: null, stored: 'en', spoken: ['zh-CN'] }, 'en'],
  [{ fixed: undefined, asked: '<script>', stored: undefined, spoken: ['fr'] }, 'en'],
] as const)('selects with %o the language %s', (hints, locale) => {
  expect(selectPageLocale(hints)).toBe(locale);
});

describe('server console', () => {
  it.each([
    [
      '#/summaries?port=2022&http=2022',
      { view: 'summaries', id: undefined, query: 'port=2022&http=2022', playerPort: '2022' },
    ],
    ['#/streams/vid-1%2F2', { view: 'streams', id: 'vid-1/2', query: '', playerPort: undefined }],
    ['#/connect', { view: 'summaries', id: undefined, query: '', playerPort: undefined }],
    ['#/constructor/__proto__', { view: 'summaries', id: undefined, query: '', playerPort: undefined }],
    ['#/clients/%zz?http=x', { view: 'clients', id: '%zz', query: 'http=x', playerPort: undefined }],
    ['', { view: 'summaries', id: undefined, query: '', playerPort: undefined }],
  ])('parses %s', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  });

  it('encodes row and preview addresses', () => {
    expect(routeHash('streams', 'http=1', 'a/b#')).toBe('#/streams/a%2Fb%23?http=1');
    expect(previewAddress({ app: 'live', name: 'a&b=<c>' }, at('/'), '8080')).toBe(
      '/players/srs_player.html?app=live&stream=a%26b%3D%3Cc%3E.flv&port=8080&autostart=true',
    );
  });
});

describe('WHIP publisher', () => {
  it('prefers constrained baseline H.264 and keeps the order of the rest', () => {
    const codec = (mimeType: string, sdpFmtpLine = '') => ({ mimeType, sdpFmtpLine });
    const high = codec('video/H264', 'packetization-mode=1;profile-level-id=640032');
    const baseline = codec('video/H264', 'packetization-mode=1;profile-level-id=42e01f');
    const single = codec('video/H264', 'packetization-mode=0;profile-level-id=42e01f');
    const [vp8, rtx] = [codec('video/VP8'), codec('video/rtx')];
    expect(sortByPreference([vp8, rtx, single, high, baseline])).toEqual([baseline, high, single, vp8, rtx]);
  });

  it('restores stored choices and ignores invalid ones', () => {
    expect(parseChoices(undefined)).toEqual(defaultChoices);
    expect(parseChoices({ size: '9x9', kbps: 1, picture: 'camera', cameraId: 'c', frameRate: '60' })).toEqual({
      ...defaultChoices,
      cameraId: 'c',
      frameRate: '60',
    });
  });

  it.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'no-device'],
    ['NotReadableError', 'device-busy'],
    ['TypeError', 'capture'],
  ])('maps the capture error %s to %s', (name, kind) => {
    expect(toCaptureFailure(Object.assign(new Error('x'), { name })).kind).toBe(kind);
  });

  it('measures audio level linearly in decibels', () => {
    expect(measureLevel([0, 0])).toBe(0);
    expect(measureLevel([1, -1])).toBe(1);
    expect(measureLevel([0.1, -0.1])).toBeCloseTo(1 - 20 / 60);
  });
});

it.each([
  ['file', 'https://a.test/terraform/v1/hooks/record/hls/u/index.mp4?sign=x', true],
  ['hls', 'https://a.test/terraform/v1/hooks/record/hls/u.m3u8?sign=x', true],
  ['hls', 'https://a.test/live/show.m3u8', false],
  ['flv', 'https://a.test/live/show.flv', false],
] as const)('treats %s %s as a recording: %s', (kind, url, is) => {
  expect(toRecordedSource({ kind, url }) !== undefined).toBe(is);
});

it.each([
  ['?t=90', 90],
  ['?t=12.5', 12.5],
  ['', 0],
  ['?t=-3', 0],
  ['?t=1e9', 0],
  ['?t=99999999999', 0],
  ['?t=soon', 0],
])('starts a recording with %s at second %d', (query, second) => {
  expect(parseStartSecond(at(`/tools/player.html${query}`))).toBe(second);
});

it('links a WHEP address to the low-latency HLS page with its token', () => {
  const of = (query: string) => lowLatencyHlsPage(at(`/rtc/v1/whep/${query}`));
  expect(of('?app=show&stream=one&eip=1.2.3.4&token=x')).toBe(
    '/players/srs_player.html?app=show&stream=one.ll.m3u8&token=x&autostart=true',
  );
  const page = at(of('?app=live&stream=one'));
  expect(parsePartsRequest(page)).toEqual({ address: 'http://weir.test:2022/live/one.ll.m3u8', autoStart: true });
});
