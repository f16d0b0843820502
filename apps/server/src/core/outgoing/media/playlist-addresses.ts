/** First line of a playlist (RFC 8216), without which no reader takes it for one. */
export const playlistMark = '#EXTM3U';

/** Lines end so for ffmpeg: a zero byte as well. */
const lineEnd = /\r\n|[\n\r\0]/;
/** URI anywhere in a tag, quoted or not. Readers disagree on what is an attribute and what is text. */
const attribute = /URI=(?:"([^"]*)"|([^",\s]*))/g;

/**
 * The same playlist with every address in it, of segments, keys, maps, renditions and other playlists, replaced by what `rewrite` makes
 * of it; so a reader asks nothing that we did not see. Names that we do not know are addresses too: a line is one unless it is a tag.
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
