import {
  initIdPattern,
  isQuality,
  isSegmentFormat,
  MalformedMessage,
  MessageFields,
  segmentFormats,
} from '@weir/streams';
import { clientHookBody, type HookClient, readPlace } from './client-hook.ts';
import type { FinishedSegment, InitFile } from './finished-segment.ts';
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
 * Body of on_hls, as sent and as stored beside a waiting segment. `segment_id`, `date_ms`, `discontinuity`,
 * `independent`, `format`, `init_id`, `init_file`, `quality` and `own_quality` are extensions of ours.
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
    date_ms: segment.dateMs,
    discontinuity: segment.isDiscontinuity,
    independent: segment.isIndependent,
    quality: segment.quality,
    own_quality: segment.ownQuality,
    // Absent for MPEG-TS, the only format of SRS.
    ...(segment.format !== 'mpegts' && { format: segment.format }),
    ...(segment.init && { init_id: segment.init.id, init_file: segment.init.file }),
  };
}

export type SegmentHookBody = ReturnType<typeof segmentHookBody>;

/** A segment as it was told of. Without an id where another media server tells. */
export type ToldSegment = Omit<FinishedSegment, 'id'> & { readonly id: string | undefined };

/** Throws MalformedMessage. */
export function parseSegmentHook(body: unknown): ToldSegment {
  if (new MessageFields(body).text('action') !== 'on_hls') throw new MalformedMessage('action', 'must be on_hls');
  return parseSegmentFacts(body);
}

/** Location of a segment that another media server reported. */
export interface SegmentSource {
  /** Path below its HTTP server. */
  readonly url: string;
  /** Base directory of `file`. */
  readonly cwd: string;
}

/** Parses the location from the same body. Throws MalformedMessage. */
export function parseSegmentSource(body: unknown): SegmentSource {
  const fields = new MessageFields(body);
  return { url: fields.text('url', { fallback: '' }), cwd: fields.text('cwd', { fallback: '' }) };
}

/** Facts file of a segment that another media server announced. */
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

/** Facts file of a spooled segment. */
export function parseSegmentFacts(body: unknown): ToldSegment {
  const fields = new MessageFields(body);
  const id = fields.text('segment_id', { fallback: '' });
  if (id !== '' && !isSegmentId(id)) throw new MalformedMessage('segment_id', 'must be a UUID');
  const format = fields.text('format', { fallback: 'mpegts' });
  if (!isSegmentFormat(format)) throw new MalformedMessage('format', 'must be a segment format');
  return {
    id: id === '' ? undefined : id,
    format,
    ...(segmentFormats[format].hasInit && { init: parseInit(fields) }),
    ...readPlace(fields),
    clientId: fields.text('client_id'),
    file: fields.text('file', { least: 1 }),
    durationMs: Math.round(fields.number('duration') * 1000),
    sequence: fields.whole('seq_no'),
    dateMs: fields.has('date_ms') ? fields.whole('date_ms') : undefined,
    isDiscontinuity: fields.optionalFlag('discontinuity'),
    isIndependent: fields.optionalFlag('independent'),
    quality: parseQuality(fields, 'quality'),
    ownQuality: parseQuality(fields, 'own_quality'),
  };
}

function parseQuality(fields: MessageFields, name: string): string | undefined {
  const quality = fields.text(name, { fallback: '' });
  if (quality !== '' && !isQuality(quality)) throw new MalformedMessage(name, 'must be a quality');
  return quality === '' ? undefined : quality;
}

const initId = new RegExp(`^${initIdPattern}$`);

function parseInit(fields: MessageFields): InitFile {
  const id = fields.text('init_id');
  // Becomes part of file names.
  if (!initId.test(id)) throw new MalformedMessage('init_id', 'must be a hash');
  return { id, file: fields.text('init_file', { least: 1 }) };
}
