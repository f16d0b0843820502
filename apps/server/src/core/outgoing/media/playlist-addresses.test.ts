import { expect, it } from 'vitest';
import { rewritePlaylist } from './playlist-addresses.ts';

const seen = (text: string) => {
  const found: string[] = [];
  const rewritten = rewritePlaylist(text, (address) => {
    found.push(address);
    return `[${address}]`;
  });
  return { found, rewritten };
};

it('finds every address of a playlist and leaves the rest as it is', () => {
  const { found, rewritten } = seen(
    [
      '#EXTM3U',
      '#EXT-X-KEY:METHOD=AES-128,URI="httpproxy://10.0.0.1/k",IV=0x1',
      '#EXT-X-MAP:URI=tcp://127.0.0.1:6379,BYTERANGE="1@2"',
      '#EXT-X-MEDIA:TYPE=AUDIO,NAME="a, URI=\\"x",GROUP-ID="g",URI="audio.m3u8"',
      '#EXTINF:4,title',
      'a/1.ts?x=1#2',
      '  concat:a|b  ',
      '#EXT-X-ENDLIST',
    ].join('\r\n'),
  );
  expect(found).toEqual([
    'httpproxy://10.0.0.1/k',
    'tcp://127.0.0.1:6379',
    'x',
    'audio.m3u8',
    'a/1.ts?x=1#2',
    'concat:a|b',
  ]);
  expect(rewritten.split('\n')[1]).toBe('#EXT-X-KEY:METHOD=AES-128,URI="[httpproxy://10.0.0.1/k]",IV=0x1');
  expect(rewritten.split('\n').at(-1)).toBe('#EXT-X-ENDLIST');
});

it('splits lines as ffmpeg does', () => {
  expect(seen('#EXTM3U\r#EXTINF:1\0tcp://h:1\n#x').found).toEqual(['tcp://h:1']);
});
