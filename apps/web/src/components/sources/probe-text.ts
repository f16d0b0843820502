import type { Source, SourceProbe } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { formatNumber } from '../figures/format-figures.ts';

/** Tracks as people write them: `H.264 · 640 × 360 · 25 fps, AAC mono 16 kHz`. */
export function useTracksText(): (probe: Pick<SourceProbe, 'video' | 'audio'>) => string {
  const { t } = useTranslation();
  const locale = useLocale();
  return ({ video, audio }) => {
    const seen = video && [
      codecName(video.codec_name),
      video.width > 0 && `${video.width}\u00a0×\u00a0${video.height}`,
      video.fps > 0 && t('source.fps', { number: formatNumber(video.fps, locale, 1) }),
    ];
    const heard = audio && [
      codecName(audio.codec_name),
      audio.channels === 1 && t('source.mono'),
      audio.channels === 2 && t('source.stereo'),
      audio.channels > 2 && t('source.channels', { number: audio.channels }),
      Number(audio.sample_rate) > 0 && `${formatNumber(Number(audio.sample_rate) / 1000, locale, 1)}\u00a0kHz`,
    ];
    return [
      seen ? seen.filter(Boolean).join(' · ') : t('source.noVideo'),
      heard ? heard.filter(Boolean).join(' ') : t('source.noAudio'),
    ].join(t('source.comma'));
  };
}

/** Size and length of a file, then its tracks. */
export function useProbeText(): (source: Source) => string {
  const locale = useLocale();
  const tracksOf = useTracksText();
  return (source) => {
    const seconds = Number(source.format.duration);
    const file = source.type !== 'stream' && [
      formatBytes(source.size, locale),
      seconds > 0 && formatDuration(seconds, locale),
    ];
    return [...(file || []), tracksOf(source)].filter(Boolean).join(' · ');
  };
}

const names: Readonly<Record<string, string>> = {
  h264: 'H.264',
  hevc: 'H.265',
  av1: 'AV1',
  vp8: 'VP8',
  vp9: 'VP9',
  mjpeg: 'MJPEG',
  mpeg4: 'MPEG-4',
  aac: 'AAC',
  mp3: 'MP3',
  opus: 'Opus',
  pcm_mulaw: 'G.711 µ-law',
  pcm_alaw: 'G.711 A-law',
};

/** Spelling of the field for ffprobe's name. */
function codecName(codec: string): string {
  return names[codec] ?? codec.toUpperCase().replaceAll('_', ' ');
}
