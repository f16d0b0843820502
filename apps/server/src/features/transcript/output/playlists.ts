import { transcriptHlsPath } from '@weir/contract';
import { languageName } from '../language-name.ts';
import { type SegmentRow, tsidsOf } from '../pipeline/segment-row.ts';

type Kind = 'overlay' | 'original' | 'webvtt';

interface Window {
  readonly rows: readonly SegmentRow[];
  /** Discontinuities that were in it once. */
  readonly seamsGone: number;
}

/** What of each segment is listed. */
export const listed = {
  overlay: (row: SegmentRow) => `${tsidsOf(row).overlay}.ts`,
  original: (row: SegmentRow) => `${tsidsOf(row).org}.ts`,
  subtitles: (row: SegmentRow) => `${tsidsOf(row).overlay}.vtt`,
  translation: (language: string) => (row: SegmentRow) => `${tsidsOf(row).overlay}.${language}.vtt`,
} as const;

/** RFC 8216, a live window: it never ends. */
export function livePlaylist({ rows, seamsGone }: Window, kind: Kind, fileOf: (row: SegmentRow) => string): string {
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
    const uri = `${transcriptHlsPath}/${kind}/${fileOf(row)}`;
    lines.push(`#EXTINF:${(row.durationMs / 1000).toFixed(2)}, no desc`, uri);
  }
  return `${lines.join('\n')}\n`;
}

/** The video with its subtitles beside it. */
export function masterPlaylist(
  uuid: string,
  { language, translations }: { readonly language: string; readonly translations: readonly string[] },
  rows: readonly SegmentRow[],
): string {
  const rates = rows.map(({ bytes, durationMs }) => (8000 * bytes) / Math.max(1, durationMs));
  const bandwidth = Math.max(1, Math.ceil(Math.max(...rates, 0)));
  // Languages are checked when they are saved; a quote could end the attribute.
  const code = language.replace(/[^A-Za-z0-9-]/g, '') || 'und';
  const lines = [
    '#EXTM3U',
    subtitlesLine({ name: `Subtitle-${code.toUpperCase()}`, language: code, isDefault: true, file: 'subtitles' }),
    ...translations.map((to) =>
      subtitlesLine({ name: languageName(to), language: to, isDefault: false, file: `subtitles-${to}` }),
    ),
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},SUBTITLES="subs"`,
    `${transcriptHlsPath}/webvtt/${uuid}.m3u8`,
  ];
  return `${lines.join('\n')}\n`;
}

function subtitlesLine(rendition: { name: string; language: string; isDefault: boolean; file: string }): string {
  const { name, language, isDefault, file } = rendition;
  const head = `TYPE=SUBTITLES,GROUP-ID="subs",NAME="${name.replace(/["\r\n]/g, '')}",LANGUAGE="${language}"`;
  return `#EXT-X-MEDIA:${head},DEFAULT=${isDefault ? 'YES' : 'NO'},AUTOSELECT=YES,FORCED=NO,URI="${file}.m3u8"`;
}
