import type { QueryClient } from '@tanstack/react-query';
import { type DataOf, type NewsEvents, playProtocols, type streamsApi } from '@weir/contract';
import { placeText, type StreamSampleField, streamSampleFields } from '@weir/dialect';

type Streams = DataOf<typeof streamsApi.query>;

/**
 * Puts the last second into the list of streams that pages show, so that nobody has to ask for it. A list of other streams is left
 * alone: news of it are on their way, or it is polled.
 */
export function applySamples(queries: QueryClient, { streams }: NewsEvents['samples']): void {
  const known = queries.getQueryData<Streams>(['streams']);
  const valuesOf = new Map(streams.map((stream) => [placeText(stream), stream.values]));
  const isSame =
    known?.streams.length === streams.length && known.streams.every((each) => valuesOf.has(placeText(each)));
  if (!known || !isSame || streams.length === 0) return;
  const measuredNow = known.streams.map((stream) => measured(stream, valuesOf.get(placeText(stream))));
  queries.setQueryData<Streams>(['streams'], { ...known, streams: measuredNow });
}

function measured(stream: Streams['streams'][number], values: readonly (number | null)[] | undefined) {
  const { media } = stream;
  if (!values || !media) return stream;
  const sampled = (field: StreamSampleField) => values[streamSampleFields.indexOf(field)] ?? 0;
  const viewersBy = Object.fromEntries(playProtocols.map((protocol) => [protocol, sampled(protocol)]));
  return {
    ...stream,
    media: {
      ...media,
      // One second of video jumps with its keyframes; a little of what was there before steadies it.
      kbps: Math.round(media.kbps * 0.7 + sampled('inKbps') * 0.3),
      fps: Math.round((media.fps * 0.7 + sampled('fps') * 0.3) * 10) / 10,
      viewers: Object.values(viewersBy).reduce((sum, one) => sum + one, 0),
      ...(media.viewersBy && { viewersBy: viewersBy as NonNullable<typeof media.viewersBy> }),
    },
  };
}
