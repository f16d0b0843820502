import type { Source } from '@weir/contract';
import { useTranslation } from 'react-i18next';

/** Media facts of a source: `File 12.3MB 10.0s 1200.0Kbps, Video(h264 High 1280x720), Audio(aac 44100HZ 2CH)`. */
export function useProbeText(): (source: Source) => string {
  const { t } = useTranslation();
  return ({ type, size, format, video, audio }) => {
    const kbps = (Number(format.bit_rate) / 1000).toFixed(1);
    const rate = Number(format.bit_rate) > 0 ? ` ${kbps}Kbps` : '';
    const seconds = Number(format.duration) > 0 ? ` ${Number(format.duration).toFixed(1)}s` : '';
    const what =
      type === 'stream'
        ? `${t('source.streamWord')}${rate}`
        : `${t('source.fileWord')} ${(size / 1_000_000).toFixed(1)}MB${seconds}${rate}`;
    const picture = video
      ? `Video(${[video.codec_name, video.profile, `${video.width}x${video.height}`].filter(Boolean).join(' ')})`
      : 'NoVideo';
    const sound = audio ? `Audio(${audio.codec_name} ${audio.sample_rate}HZ ${audio.channels}CH)` : 'NoAudio';
    return `${what}, ${picture}, ${sound}`;
  };
}
