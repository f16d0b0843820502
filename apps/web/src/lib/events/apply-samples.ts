import type { QueryClient } from '@tanstack/react-query';
import { type DataOf, type LiveEvents, type overviewApi, playProtocols, type streamsApi } from '@weir/contract';
import { placeText, type StreamSampleField, serverSampleFields, streamSampleFields } from '@weir/dialect';

type Streams = DataOf<typeof streamsApi.query>;
type ServerNow = DataOf<typeof overviewApi.now>;

/** Puts the last second into what pages show, so that nobody has to ask for it. */
export function applySamples(queries: QueryClient, samples: LiveEvents['samples']): void {
  const values = Object.fromEntries(serverSampleFields.map((field, at) => [field, samples.server[at] ?? null]));
  queries.setQueryData<ServerNow>(['server-now'], { at: samples.at, values: values as ServerNow['values'] });
  applyToStreams(queries, samples);
}

/**
 * Puts the last second into the list of streams. A list of other streams is left alone: news of it are on their way, or it is polled.
 */
function applyToStreams(queries: QueryClient, { streams }: LiveEvents['samples']): void {
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
