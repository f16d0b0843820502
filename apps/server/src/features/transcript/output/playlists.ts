import { transcriptHlsPath } from '@weir/contract';
import { type SegmentRow, tsidsOf } from '../lane/segment-row.ts';

type Kind = 'overlay' | 'original' | 'webvtt';

interface Window {
  readonly rows: readonly SegmentRow[];
  /** Discontinuities that were in it once. */
  readonly seamsGone: number;
}

const fileOf = {
  overlay: (row: SegmentRow) => `${tsidsOf(row).overlay}.ts`,
  original: (row: SegmentRow) => `${tsidsOf(row).org}.ts`,
  subtitles: (row: SegmentRow) => `${tsidsOf(row).overlay}.vtt`,
} as const;

/** RFC 8216, a live window: it never ends. `of`: what of each segment is listed. */
export function livePlaylist({ rows, seamsGone }: Window, kind: Kind, of: keyof typeof fileOf): string {
  const longestMs = Math.max(1000, ...rows.map(({ durationMs }) => durationMs));
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-MEDIA-SEQUENCE:${rows[0]?.number ?? 0}`,
    `#EXT-X-TARGETDURATION:${Math.ceil(longestMs / 1000)}`,
    ...(seamsGone > 0 ? [`#EXT-X-DISCONTINUITY-SEQUENCE:${seamsGone}`] : []),
  ];
  for (const row of rows) {
    if (row.isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    const uri = `${transcriptHlsPath}/${kind}/${fileOf[of](row)}`;
    lines.push(`#EXTINF:${(row.durationMs / 1000).toFixed(2)}, no desc`, uri);
  }
  return `${lines.join('\n')}\n`;
}

/** The video with its subtitles beside it. */
export function masterPlaylist(uuid: string, language: string, rows: readonly SegmentRow[]): string {
  const rates = rows.map(({ bytes, durationMs }) => (8000 * bytes) / Math.max(1, durationMs));
  const bandwidth = Math.max(1, Math.ceil(Math.max(...rates, 0)));
  // Languages are checked when they are saved; a quote could end the attribute.
  const code = language.replace(/[^A-Za-z0-9-]/g, '') || 'und';
  const name = `NAME="Subtitle-${code.toUpperCase()}",LANGUAGE="${code}"`;
  const media = `TYPE=SUBTITLES,GROUP-ID="subs",${name},DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,URI="subtitles.m3u8"`;
  const lines = ['#EXTM3U', `#EXT-X-MEDIA:${media}`, `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},SUBTITLES="subs"`];
  return `${[...lines, `${transcriptHlsPath}/webvtt/${uuid}.m3u8`].join('\n')}\n`;
}
