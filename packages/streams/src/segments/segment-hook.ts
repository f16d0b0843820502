import { clientHookBody, type HookClient, readPlace } from '../client-hook.ts';
import { HookFields, MalformedHook } from '../hook-fields.ts';
import type { FinishedSegment } from './finished-segment.ts';
import { isSegmentId } from './segment-entry.ts';

/** Public paths of a segment and its playlist. SRS sends them; no consumer here needs them. */
export interface SegmentPlace {
  /** Paths of HTTP, without a slash in front. */
  readonly url: string;
  readonly m3u8Url: string;
  /** File of the playlist. */
  readonly m3u8: string;
}

/**
 * Body of on_hls, as sent and as stored beside a waiting segment. `segment_id`, `discontinuity` and `independent` are
 * extensions of ours.
 */
export function segmentHookBody(segment: FinishedSegment, publisher: HookClient, { url, m3u8, m3u8Url }: SegmentPlace) {
  // The address of the publisher holds its secret, and these words lie on the disk for a while.
  const { param: _param, tcUrl: _tcUrl, ...who } = clientHookBody('on_hls', publisher);
  return {
    ...who,
    segment_id: segment.id,
    duration: segment.durationMs / 1000,
    file: segment.file,
    url,
    m3u8,
    m3u8_url: m3u8Url,
    seq_no: segment.sequence,
    discontinuity: segment.isDiscontinuity,
    independent: segment.isIndependent,
  };
}

export type SegmentHookBody = ReturnType<typeof segmentHookBody>;

/** A segment as it was told of. Without an id where another media server tells. */
export type ToldSegment = Omit<FinishedSegment, 'id'> & { readonly id: string | undefined };

/** Throws MalformedHook. */
export function parseSegmentHook(body: unknown): ToldSegment {
  if (new HookFields(body).text('action') !== 'on_hls') throw new MalformedHook('action: must be on_hls');
  return parseSegmentFacts(body);
}

/** Location of a segment that another media server reported. */
export interface SegmentSource {
  /** Path below its HTTP server. */
  readonly url: string;
  /** Base directory of `file`. */
  readonly cwd: string;
}

/** Parses the location from the same body. Throws MalformedHook. */
export function parseSegmentSource(body: unknown): SegmentSource {
  const fields = new HookFields(body);
  return { url: fields.text('url', { fallback: '' }), cwd: fields.text('cwd', { fallback: '' }) };
}

/** The facts of a segment as they lie beside it, of one that another media server told of. */
export function toSegmentFacts({ id, vhost, app, stream, clientId, file, durationMs, sequence }: FinishedSegment) {
  return {
    segment_id: id,
    vhost,
    app,
    stream,
    client_id: clientId,
    file,
    duration: durationMs / 1000,
    seq_no: sequence,
  };
}

/** The same of what lies beside a segment that waits. */
export function parseSegmentFacts(body: unknown): ToldSegment {
  const fields = new HookFields(body);
  const id = fields.text('segment_id', { fallback: '' });
  if (id !== '' && !isSegmentId(id)) throw new MalformedHook('segment_id: must be a UUID');
  const sequence = fields.number('seq_no');
  if (!Number.isSafeInteger(sequence)) throw new MalformedHook('seq_no: must be a whole number');
  return {
    id: id === '' ? undefined : id,
    ...readPlace(fields),
    clientId: fields.text('client_id'),
    file: fields.text('file', { least: 1 }),
    durationMs: Math.round(fields.number('duration') * 1000),
    sequence,
    isDiscontinuity: fields.flag('discontinuity'),
    isIndependent: fields.flag('independent'),
  };
}
