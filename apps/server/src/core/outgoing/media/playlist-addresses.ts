/** First line of a playlist (RFC 8216), without which no reader takes it for one. */
export const playlistMark = '#EXTM3U';

/** Lines end so for ffmpeg: a zero byte as well. */
const lineEnd = /\r\n|[\n\r\0]/;
/** URI anywhere in a tag, quoted or not. Readers disagree on what is an attribute and what is text. */
const attribute = /URI=(?:"([^"]*)"|([^",\s]*))/g;

/**
 * Rewrites every address in a playlist: segments, keys, maps, renditions and other playlists. Unknown lines count as addresses unless
 * they are tags, so that the reader requests nothing unchecked.
 */
export function rewritePlaylist(text: string, rewrite: (address: string) => string): string {
  return text
    .split(lineEnd)
    .map((line) => {
      if (line.trim() === '') return '';
      if (!line.startsWith('#')) return rewrite(line.trim());
      // Escapes mean something in quotes to ffmpeg, and nothing in the standard.
      const tag = line.includes('URI=') ? line.replaceAll('\\', '') : line;
      return tag.replace(attribute, (_whole, quoted: string | undefined, bare: string | undefined) => {
        return `URI="${rewrite((quoted ?? bare ?? '').trim())}"`;
      });
    })
    .join('\n');
}
