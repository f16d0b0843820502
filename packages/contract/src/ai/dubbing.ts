import * as z from 'zod';
import { SourceProbe } from '../media/source.ts';
import { AiCause } from './ai.ts';
import { assistantFields } from './rooms.ts';

export const dubbingLimits = {
  projects: 200,
  titleCharacters: 200,
  /** About five hours of continuous speech. */
  groups: 6000,
  groupCharacters: 2000,
  /** Recognised segments in a group. */
  segments: 200,
  glossaryLines: 200,
  glossaryCharacters: 100,
  filmSeconds: 6 * 3600,
  /** Attempts to shorten a text before it is spoken faster. */
  rephrasings: 3,
  fastest: 1.25,
} as const;

/** Volume of the original under a voice and how fast it changes, in exports and in the studio. */
export const dubbingDucking = { gain: 0.12, attackMs: 30, releaseMs: 600 } as const;

/**
 * Failures of a task or export other than AI causes. `film-gone`: the file is missing. `groups`: some groups failed, each with its own
 * cause. `too-many-groups`: above the limit of a project. `failed`: unexpected, see the log.
 */
const dubbingFailures = [
  ...(['', 'film-gone', 'groups', 'too-many-groups'] as const),
  ...(['no-space', 'disk', 'ffmpeg', 'ffmpeg-missing', 'failed'] as const),
] as const;
export const DubbingFailure = z.enum(dubbingFailures);
export type DubbingFailure = z.infer<typeof DubbingFailure>;

/** Refused changes of a project or group: `fact` of an error of kind `dubbing`. */
const dubbingRefusals = [
  ...(['stream', 'no-sound', 'no-length', 'film-too-long', 'too-many-projects'] as const),
  ...(['split-ends', 'split-text', 'empty-text', 'no-neighbour', 'place'] as const),
] as const;
export const DubbingRefusal = z.enum(dubbingRefusals);
export type DubbingRefusal = z.infer<typeof DubbingRefusal>;

/** Steps in order; `failed` and `paused` may follow any. `init` and `running`: requested and starting. */
const dubbingStatuses = [
  ...(['init', 'running', 'extract', 'asr', 'translating', 'tts', 'rephrasing'] as const),
  ...(['done', 'failed', 'paused'] as const),
] as const;
export const DubbingStatus = z.enum(dubbingStatuses);
export type DubbingStatus = z.infer<typeof DubbingStatus>;

/** Steps from which a task can be repeated; earlier results stay. */
export const dubbingSteps = ['extract', 'asr', 'translating', 'tts', 'rephrasing'] as const;
export type DubbingStep = (typeof dubbingSteps)[number];

/** AI settings of a step: the fields of a room's assistant, of which each step uses some. */
export const DubbingAssistant = z.object(assistantFields);
export type DubbingAssistant = z.output<typeof DubbingAssistant>;

/** Prescribed translation of a word. */
export const GlossaryLine = z.object({
  source: z.string().trim().min(1).max(dubbingLimits.glossaryCharacters),
  target: z.string().trim().min(1).max(dubbingLimits.glossaryCharacters),
});

const noAssistant = DubbingAssistant.parse({});

export const DubbingProject = z.object({
  uuid: z.string(),
  title: z.string(),
  filetype: z.string().default(''),
  filepath: z.string().default(''),
  created_at: z.string(),
  asr: DubbingAssistant.nullable().default(noAssistant),
  trans: DubbingAssistant.nullable().default(noAssistant),
  rephrase: DubbingAssistant.nullable().default(noAssistant),
  tts: DubbingAssistant.nullable().default(noAssistant),
  /** Path of the media; empty if missing. */
  source: z.string(),
  source_path: z.string().default(''),
  format: z
    .object({
      start_time: z.string(),
      duration: z.number(),
      bit_rate: z.number(),
      nb_streams: z.int(),
      probe_score: z.int(),
      has_video: z.boolean(),
      has_audio: z.boolean(),
    })
    .nullable()
    .default(null),
  video: SourceProbe.shape.video.default(null),
  audio: SourceProbe.shape.audio.default(null),
  /** Task id once started. */
  task: z.string().default(''),
  glossary: z.array(GlossaryLine).max(dubbingLimits.glossaryLines).default([]),
  /** Treatment of the original audio. */
  background: z.enum(['off', 'ducked']).default('off'),
});
export type DubbingProject = z.output<typeof DubbingProject>;

const DubbingSegment = z.object({
  uuid: z.string(),
  id: z.int(),
  /** Seconds in the media. */
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** Start of the recognised part. */
  original_start: z.number(),
});

/** `none`: no voice yet. `pause`: ends in the pause after the group. `long`: overlaps the next group. */
const dubbingFits = ['none', 'fits', 'pause', 'long'] as const;

export const DubbingGroup = z.object({
  uuid: z.string(),
  id: z.int(),
  segments: z.array(DubbingSegment),
  start: z.number(),
  end: z.number(),
  duration: z.number(),
  translated: z.string(),
  translated_at: z.string(),
  /** The translation was written or edited by a person. */
  corrected: z.boolean(),
  rephrased: z.string(),
  rephrased_at: z.string(),
  /** Voice id; empty for none. */
  tts: z.string(),
  tts_at: z.string(),
  tts_duration: z.number(),
  /** Free seconds in the group; null without a voice. */
  free_space: z.number().nullable(),
  fit: z.enum(dubbingFits),
  /** Seconds of overlap. */
  over: z.number(),
  /** Speed-up of the speech. */
  tempo: z.number(),
  /** Changes with every edit; an edit names the revision it is based on. */
  revision: z.int(),
  /** Cause of the last failed step; null if none. */
  cause: AiCause.nullable(),
});
export type DubbingGroup = z.infer<typeof DubbingGroup>;

export const DubbingTask = z.object({
  uuid: z.string(),
  session: z.string(),
  status: DubbingStatus,
  asr_input_audio: z.string(),
  asr_input_bitrate: z.int(),
  asr_response: z
    .object({
      task: z.literal('transcribe'),
      language: z.string(),
      duration: z.number(),
      text: z.string(),
      groups: z.array(DubbingGroup),
    })
    .nullable(),
  percent: z.number(),
  /** Estimate; null if unknown. */
  secondsLeft: z.number().nullable(),
  /** Reason of a failure or wait: AI cause, other failure, and message. */
  cause: AiCause.nullable(),
  failure: DubbingFailure,
  message: z.string(),
  /** Parts without recognised speech, in seconds. */
  missing: z.array(z.object({ start: z.number(), end: z.number() })),
  /** Identifies this state of the groups for the next call. */
  cursor: z.string(),
  /** State that `groups` is a difference to; empty if complete. */
  since: z.string(),
  /** Ids of all groups in order; null if unchanged. */
  order: z.array(z.string()).nullable(),
});
export type DubbingTask = z.infer<typeof DubbingTask>;
