import { describe, expect, test } from 'vitest';
import { chooseRoute } from './route.ts';

const outcome = (method: string, target: string): string => {
  const route = chooseRoute(method, target);
  if (route.to === 'redirect') return `redirect ${route.location}`;
  return route.to === 'refused' ? String(route.failure.status) : route.to;
};

describe('chooseRoute', () => {
  test.each([
    ['/terraform/v1/releases', 'control'],
    ['/terraform/v1/mgmt/versions?x=1', 'control'],
    ['/.well-known/acme-challenge/abc', 'control'],
    ['/console/ng_index.html', 'control'],
    ['/players/whip.html', 'control'],
    ['/tools/player.html?url=http://host/live/x.m3u8', 'control'],
    ['/rtc/v1/whip/?app=live&stream=x', 'rtc'],
    ['/api/v1/versions', 'control'],
    ['/api/v1/streams/?token=x', 'control'],
    ['/live/livestream.m3u8', 'media'],
    ['/live/livestream.m3u8?hls_ctx=abc', 'media'],
    ['/live/livestream-0.ts', 'media'],
    ['/live/livestream.flv', 'media'],
    ['/live/livestream.aac', 'media'],
    ['/live/livestream.mp3', 'media'],
    ['/live/part.m4s', 'media'],
    ['/live/init.mp4', 'media'],
    ['/live/livestream.sub-en.7.vtt', 'media'],
    ['/live/livestream.cues?token=t', 'media'],
    ['/mgmt', 'control'],
    ['/mgmt?lang=en', 'control'],
    ['/mgmt/', 'control'],
    ['/mgmt/en/routers-scenario', 'control'],
    ['/docs', 'control'],
    ['/docs/zh/start.html', 'control'],
    ['/watch/', 'control'],
    ['/watch/abcdefghijklmnop?token=x.y.z', 'control'],
    ['/watch/abcdefghijklmnop/picture.jpg', 'control'],
    ['/watch/oembed?url=http://host/watch/x.m3u8', 'control'],
    ['/embed/abcdefghijklmnop?muted=1', 'control'],
    ['/anything', 'redirect /mgmt'],
  ])('%s → %s', (target, expected) => expect(outcome('GET', target)).toBe(expected));

  test.each([
    ['/terraform/v1/hooks/record/hls/x.m3u8', 'control'],
    ['/terraform/v1/hooks/record/hls/x/index.mp4', 'control'],
    ['/tools/mpegts.js/demo.flv', 'control'],
    ['/mgmt/static/chunk.ts', 'control'],
    ['/terraform/v1/ai/transcript/hls/webvtt/1.vtt', 'control'],
    ['/api/x.flv', 'control'],
    ['/rtc/v1/x.flv', 'rtc'],
  ])('prefers an API prefix to a media suffix: %s', (target, expected) =>
    expect(outcome('GET', target)).toBe(expected),
  );

  test.each([
    ['/docs/x.flv', 'media'],
    ['/docs/live.m3u8', 'media'],
    ['/watch/x.flv', 'media'],
    ['/watch/x.m3u8?hls_ctx=1', 'media'],
    ['/watch/x.ll.m3u8', 'media'],
    ['/watch/x-0-1.ts', 'media'],
    ['/watch/sub/x.cues', 'media'],
    ['/embed/x.ll-init-0.mp4', 'media'],
    ['/embed/x.ll-3-1.m4s', 'media'],
    ['/embed/x.sub-en.7.vtt', 'media'],
  ])('leaves media to apps that are called like pages of viewers: %s', (target, expected) =>
    expect(outcome('GET', target)).toBe(expected),
  );

  test.each([
    ['/rtc/x.flv', 'media'],
    ['/rtc/x.m3u8?hls_ctx=1', 'media'],
    ['/rtc/x-0-1.ts', 'media'],
    ['/rtc/v1.flv', 'media'],
    ['/rtc/v1/play/', 'rtc'],
    ['/rtc/x', 'rtc'],
  ])('distinguishes streams of an app called rtc from the API: %s', (target, expected) =>
    expect(outcome('GET', target)).toBe(expected),
  );

  test.each([
    ['/', 'control'],
    ['/?a=b', 'control'],
    ['/index.html?a=b', 'control'],
    ['/console', 'redirect /mgmt'],
    ['/players', 'redirect /mgmt'],
    ['/tools', 'redirect /mgmt'],
    ['/terraform', 'redirect /mgmt'],
    ['/mgmtx', 'redirect /mgmt'],
    ['/index.htm', 'redirect /mgmt'],
    ['//evil.example/', 'redirect /mgmt'],
    ['//terraform/v1/x', 'redirect /mgmt'],
    ['/x?y=.flv', 'redirect /mgmt'],
  ])('%s → %s', (target, expected) => expect(outcome('GET', target)).toBe(expected));

  test('decodes the escapes of a path once', () => {
    expect(outcome('GET', '/%74erraform/v1/x.m3u8')).toBe('control');
    expect(outcome('GET', '/terraform%2Fv1/x.m3u8')).toBe('control');
    expect(outcome('GET', '/%2574erraform/v1/x')).toBe('redirect /mgmt');
    expect(outcome('GET', '/live/%E7%9B%B4%E6%92%AD.flv')).toBe('media');
    expect(outcome('GET', '/live/100%25.flv')).toBe('media');
    expect(outcome('GET', '/live/a..b...flv')).toBe('media');
  });
});

describe('chooseRoute for malformed targets', () => {
  test.each([
    '/terraform/../etc/passwd',
    '/.well-known/../config/nginx.key',
    '/live/..',
    '/%2e%2e/x',
    '/.%2E/x.flv',
    '/terraform/%252e%252e/x',
    '/terraform/%25252e%25252e%25252fx',
    '/terraform/..%2fx',
    '/terraform/%2e%2e%5cx',
    '/terraform/..\\x',
    '/terraform/a\\b',
    '/terraform/%5c..',
    '/terraform/%255cx',
    '/terraform/x%00.m3u8',
    '/terraform/x%0d%0aSet-Cookie:a',
    '/terraform/x%250a',
    '/terraform/%',
    '/terraform/%zz',
    '/terraform/%c0%ae%c0%ae/',
    '/terraform/%ff',
    '/terraform/%25252525252525252e',
    '/terraform/x#.m3u8',
    '/x?a=\u0000',
    'http://host/terraform/v1/x',
    'host:443',
    '*',
    '',
  ])('%s → 400', (target) => expect(outcome('GET', target)).toBe('400'));

  test('accepts characters in a query that a path must not contain', () => {
    expect(outcome('GET', '/terraform/v1/x?file=../../etc%00&b=%zz\\')).toBe('control');
  });
});

describe('chooseRoute for methods', () => {
  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s is routed', (method) =>
    expect(outcome(method, '/terraform/v1/x')).toBe('control'),
  );
  test.each(['TRACE', 'CONNECT', 'PROPFIND', 'get', ''])('"%s" → 405', (method) =>
    expect(outcome(method, '/terraform/v1/x')).toBe('405'),
  );
  test('answers OPTIONS regardless of the path', () => {
    expect(outcome('OPTIONS', '/terraform/v1/x')).toBe('preflight');
    expect(outcome('OPTIONS', '/live/../x%00')).toBe('preflight');
    expect(outcome('OPTIONS', '*')).toBe('preflight');
    expect(outcome('OPTIONS', 'http://host/x')).toBe('400');
  });
});
