import { expect, it } from 'vitest';
import type { SourceKind } from '../session/player-source.ts';
import { findCueAddress } from './cue-address.ts';

const page = new URL('http://weir.test:2022/tools/player.html');

it.each<[SourceKind, string, string | undefined]>([
  ['flv', '/live/show.flv', '/live/show.cues'],
  ['flv', '/live/a%20b.flv?token=t&vhost=v', '/live/a%20b.cues?token=t&vhost=v'],
  ['hls', '/live/show.m3u8', '/live/show.cues'],
  ['hls', '/a/b/show.ll.m3u8?x=1', '/a/b/show.cues?x=1'],
  ['hls', '/play/id.dvr.m3u8', '/play/id.cues'],
  ['whep', '/rtc/v1/whep/?app=live&stream=show&token=t', '/live/show.cues?token=t'],
  ['whep', '/rtc/v1/whep/?app=a/b&stream=%E7%9B%B4%E6%92%AD', '/a/b/%E7%9B%B4%E6%92%AD.cues'],
  ['whep', '/rtc/v1/whep/?app=live', undefined],
  ['hls', '/terraform/v1/hooks/record/hls/1.m3u8', undefined],
  ['file', '/live/show.mp4', undefined],
  ['flv', 'http://elsewhere.test/live/show.flv', undefined],
  ['flv', 'http://weir.test:8080/live/show.flv', undefined],
])('%s %s', (kind, url, cues) => {
  const whole = cues && new URL(cues, page).href;
  expect(findCueAddress({ kind, url: new URL(url, page).href }, page)).toBe(whole);
});
