import type { ActiveStream, StreamMedia } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../lib/i18n.ts';
import { formatCodec, formatNumber } from '../../figures/format-figures.ts';
import { type Fact, FactList } from '../../ui/facts/fact-list.tsx';
import { Moment } from '../../ui/facts/moment.tsx';
import { protocolName } from './protocol-name.ts';

/** Measurements of the incoming stream. */
export function StreamFacts({ stream }: { stream: ActiveStream }) {
  const { t } = useTranslation();
  const media = useMediaFacts(stream.media);
  const key = stream.key === undefined ? [] : [{ term: t('live.facts.keyTerm'), value: stream.key }];
  return <FactList facts={[...media, ...key, { term: t('live.facts.since'), value: <Moment at={stream.update} /> }]} />;
}

function useMediaFacts(media: StreamMedia | undefined): Fact[] {
  const { t } = useTranslation();
  const video = useVideoText(media);
  const audio = useAudioText(media);
  const webrtc = useWebRtcText(media);
  if (!media) return [];
  const { protocol, address } = media;
  return [
    { term: t('live.facts.publisher'), value: t('live.facts.from', { protocol: protocolName(protocol), address }) },
    { term: t('live.facts.video'), value: video ?? t('live.facts.none') },
    { term: t('live.facts.audio'), value: audio ?? t('live.facts.none') },
    ...(webrtc === undefined ? [] : [{ term: t('live.facts.webrtc'), value: webrtc }]),
  ];
}

/** `H.264 High · 1280 × 720 · 30 fps` */
export function useVideoText(media: StreamMedia | undefined): string | undefined {
  const { t } = useTranslation();
  const locale = useLocale();
  if (!media?.video) return undefined;
  const { codec, profile, width, height } = media.video;
  return joined([
    formatCodec(`${codec} ${profile}`.trim()),
    width > 0 && `${width}\u00a0×\u00a0${height}`,
    media.fps > 0 && t('live.facts.fps', { number: formatNumber(media.fps, locale, 1) }),
  ]);
}

/** `AAC · 44.1 kHz · stereo` */
export function useAudioText(media: StreamMedia | undefined): string | undefined {
  const { t } = useTranslation();
  const locale = useLocale();
  if (!media?.audio) return undefined;
  const { codec, sampleRate, channels } = media.audio;
  return joined([
    codec,
    sampleRate > 0 && `${formatNumber(sampleRate / 1000, locale, 1)} kHz`,
    channels === 1 && t('live.facts.mono'),
    channels === 2 && t('live.facts.stereo'),
    channels > 2 && t('live.facts.channels', { number: channels }),
  ]);
}

/** `Converted: picture and sound`, `Missing: sound (ffmpeg is not installed)` */
export function useWebRtcText(media: StreamMedia | undefined): string | undefined {
  const { t } = useTranslation();
  if (!media?.webrtc) return undefined;
  const { video, audio, reason } = media.webrtc;
  const tracks = (state: typeof video) => {
    if (video === state && audio === state) return t('live.facts.webrtcBoth');
    return video === state ? t('live.facts.webrtcPicture') : audio === state ? t('live.facts.webrtcSound') : undefined;
  };
  const converted = tracks('converted');
  const missing = tracks('unavailable');
  const why = reason === '' ? '' : ` (${reason})`;
  if (!converted && !missing) return t('live.facts.webrtcDirect');
  return joined([
    converted !== undefined && t('live.facts.webrtcConverted', { tracks: converted }),
    missing !== undefined && t('live.facts.webrtcUnavailable', { tracks: missing }) + why,
  ]);
}

function joined(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(' · ');
}
