import { expect, it } from 'vitest';
import { embedCode } from './embed-code.ts';

const player = 'https://weir.example/tools/xgplayer.html?url=https://weir.example/live/show.m3u8';

/** Parses the code as a browser would, without loading the frame. */
function frameOf(code: string): Element {
  expect(code).toMatch(/^<iframe .*<\/iframe>$/);
  const inert = code.replace('<iframe ', '<div ').replace('</iframe>', '</div>');
  const frames = new DOMParser().parseFromString(inert, 'text/html').body.children;
  expect(frames).toHaveLength(1);
  return frames[0] as Element;
}

it('embeds the player at its size in a sandbox', () => {
  const frame = frameOf(embedCode({ player, title: 'live/show', size: '960' }));
  expect(frame.getAttribute('src')).toBe(player);
  expect([frame.getAttribute('width'), frame.getAttribute('height')]).toEqual(['960', '540']);
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin');
  expect(frame.getAttribute('allow')).toContain('fullscreen');
});

it('embeds the player at the available width', () => {
  const frame = frameOf(embedCode({ player, title: 'live/show', size: 'fluid' }));
  expect([frame.getAttribute('width'), frame.getAttribute('style')]).toEqual([
    null,
    'width:100%;aspect-ratio:16/9;border:0',
  ]);
});

it('escapes the name of a stream', () => {
  const title = `"><script>alert(1)</script>&amp;'`;
  const frame = frameOf(embedCode({ player: `${player}&x="y"`, title, size: 'fluid' }));
  expect([frame.getAttribute('title'), frame.getAttribute('src')]).toEqual([title, `${player}&x="y"`]);
  expect(frame.ownerDocument.querySelector('script')).toBeNull();
});
