import type { PublishedStream } from '../../core/events.ts';
import { maskParam } from '../../core/mask-param.ts';
import type { LiveStream } from '../../media-server/media-server.ts';

/** What may be told of a live stream: everything but the secret its publisher showed. */
export function publishedStreamOf({ name, param, media: _media, ...stream }: LiveStream): PublishedStream {
  return { ...stream, stream: name, param: maskParam(param) };
}
