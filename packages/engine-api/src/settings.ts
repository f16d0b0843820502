import {
  isQuality,
  isSegmentFormat,
  MalformedMessage,
  MessageFields,
  type PlayAccess,
  type SegmentFormatName,
  segmentFormatNames,
} from '@weir/streams';
import { decodeLadderPlans, type LadderPlan } from './ladders.ts';
import { decodePlayAccess } from './play-access.ts';
import { decodeProgramPlans, type ProgramPlan } from './programs.ts';
import { decodeRewindSettings, type RewindSettings } from './rewind.ts';

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
  /** Formats in which consumers take finished segments. */
  readonly segmentFormats?: readonly SegmentFormatName[];
  /** Lower qualities of which consumers take finished segments. */
  readonly segmentQualities?: readonly string[];
  /** Secret that identifies edges; empty for none. */
  readonly edgeToken?: string;
  /** All programs that the owner set up. */
  readonly programs?: readonly ProgramPlan[];
  /** Ladders of live and future streams. */
  readonly ladders?: readonly LadderPlan[];
  /** How far viewers may go back. */
  readonly rewind?: RewindSettings;
  /** Rules, keys and revocations for viewers. */
  readonly playAccess?: PlayAccess;
}

const mostHiddenTexts = 10_000;
const longestSecret = 4096;
const mostSegmentQualities = 32;

export function decodeSettings(body: unknown): EngineSettings {
  const fields = new MessageFields(body);
  return {
    ...(fields.has('hls') && { hls: fields.part('hls', decodeHls) }),
    ...(fields.has('hiddenTexts') && { hiddenTexts: fields.list('hiddenTexts', mostHiddenTexts, decodeSecret) }),
    ...(fields.has('segmentFormats') && {
      segmentFormats: fields.list('segmentFormats', segmentFormatNames.length, decodeFormat),
    }),
    ...(fields.has('segmentQualities') && {
      segmentQualities: fields.list('segmentQualities', mostSegmentQualities, decodeQuality),
    }),
    ...(fields.has('programs') && { programs: decodeProgramPlans(fields) }),
    ...(fields.has('ladders') && { ladders: decodeLadderPlans(fields) }),
    ...(fields.has('rewind') && { rewind: fields.part('rewind', decodeRewindSettings) }),
    ...(fields.has('playAccess') && { playAccess: fields.part('playAccess', decodePlayAccess) }),
    ...(fields.has('edgeToken') && { edgeToken: fields.text('edgeToken', { most: longestSecret }) }),
  };
}

function decodeHls(value: unknown): HlsSettings {
  const fields = new MessageFields(value);
  return { noHlsCtx: fields.flag('noHlsCtx'), shortSegments: fields.flag('shortSegments') };
}

function decodeFormat(value: unknown): SegmentFormatName {
  if (!isSegmentFormat(value)) throw new MalformedMessage('', 'must be a segment format');
  return value;
}

function decodeQuality(value: unknown): string {
  if (typeof value !== 'string' || !isQuality(value)) throw new MalformedMessage('', 'must be a quality');
  return value;
}

function decodeSecret(value: unknown): string {
  if (typeof value !== 'string' || value.length > longestSecret) {
    throw new MalformedMessage('', `must be a text of at most ${longestSecret} characters`);
  }
  return value;
}
