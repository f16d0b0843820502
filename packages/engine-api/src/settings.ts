import { MalformedMessage, MessageFields } from '@weir/streams';

/** HLS settings of the owner. Both may change while streams run. */
export interface HlsSettings {
  /** No session per viewer: the plain playlist at once, cacheable by others, viewers not counted. */
  readonly noHlsCtx: boolean;
  readonly shortSegments: boolean;
}

/** Settings that can change while streams run. Absent ones stay. */
export interface EngineSettings {
  readonly hls?: HlsSettings;
  /** Secrets that the engine's log must not contain. */
  readonly hiddenTexts?: readonly string[];
  /** True if any consumer needs finished segments. */
  readonly isSegmentWanted?: boolean;
  /** Secret that identifies edges; empty for none. */
  readonly edgeToken?: string;
}

const mostHiddenTexts = 10_000;
const longestSecret = 4096;

export function decodeSettings(body: unknown): EngineSettings {
  const fields = new MessageFields(body);
  const isSegmentWanted = fields.optionalFlag('isSegmentWanted');
  return {
    ...(fields.has('hls') && { hls: fields.part('hls', decodeHls) }),
    ...(fields.has('hiddenTexts') && { hiddenTexts: fields.list('hiddenTexts', mostHiddenTexts, decodeSecret) }),
    ...(isSegmentWanted !== undefined && { isSegmentWanted }),
    ...(fields.has('edgeToken') && { edgeToken: fields.text('edgeToken', { most: longestSecret }) }),
  };
}

function decodeHls(value: unknown): HlsSettings {
  const fields = new MessageFields(value);
  return { noHlsCtx: fields.flag('noHlsCtx'), shortSegments: fields.flag('shortSegments') };
}

function decodeSecret(value: unknown): string {
  if (typeof value !== 'string' || value.length > longestSecret) {
    throw new MalformedMessage('', `must be a text of at most ${longestSecret} characters`);
  }
  return value;
}
