import type { StreamMedia } from '@weir/contract';
import type { ParseKeys } from 'i18next';

/** One sentence on how a live stream is doing: the most important thing that is true. */
export function streamVerdict(media: StreamMedia | undefined): ParseKeys {
  if (!media) return 'live.verdict.live';
  if (!media.video && !media.audio) return 'live.verdict.nothing';
  if (!media.video) return 'live.verdict.noVideo';
  if (!media.audio) return 'live.verdict.noAudio';
  return 'live.verdict.both';
}
