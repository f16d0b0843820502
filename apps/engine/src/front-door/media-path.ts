/** Kind of server that answers a media path. */
type MediaKind = 'flv' | 'hls' | 'cues' | 'none';

/** Every suffix of media. The contract lists `.aac` and `.mp3` as media paths, but no stream has them. */
const suffixes: Readonly<Record<string, MediaKind>> = {
  flv: 'flv',
  cues: 'cues',
  m3u8: 'hls',
  ts: 'hls',
  m4s: 'hls',
  mp4: 'hls',
  vtt: 'hls',
  aac: 'none',
  mp3: 'none',
};

/** Kind of media at a path without its query; undefined for a path that is not media. */
export function findMediaKind(path: string): MediaKind | undefined {
  const suffix = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined;
}
