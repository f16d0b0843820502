import type { PublishedStream } from '../../core/events.ts';
import { maskParam } from '../../core/mask-param.ts';
import type { LiveStream } from '../../media-server/media-server.ts';

/** Public facts of a live stream, without its publisher's secret. */
export function toPublishedStream({ name, param, media, ...stream }: LiveStream): PublishedStream {
  const origin = media && { protocol: media.protocol, address: media.address };
  return { ...stream, stream: name, param: maskParam(param), ...origin };
}
