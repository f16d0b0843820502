import * as z from 'zod';
import { SourceProbe } from '../media/source.ts';
import { AiCause } from './ai.ts';
import { assistantFields } from './rooms.ts';

export const dubbingLimits = {
  projects: 200,
  titleCharacters: 200,
  /** Of a film: about five hours of people who never stop talking. */
  groups: 6000,
  groupCharacters: 2000,
  /** Of a group: what was heard as one after the other. */
  segments: 200,
  glossaryLines: 200,
  glossaryCharacters: 100,
  filmSeconds: 6 * 3600,
  /** Tries to say a thing shorter, before it is spoken faster. */
  rephrasings: 3,
  fastest: 1.25,
} as const;

/** How loud the film is under a voice, where it is kept as a background, and how soon: in exports and in the studio alike. */
export const dubbingDucking = { gain: 0.12, attackMs: 30, releaseMs: 600 } as const;

/**
 * Why a task or an export failed, where AI is not the reason. `film-gone`: its file is no longer there. `groups`: some groups could not be made,
 * each says why. `too-many-groups`: more is said in it than a project can hold. `failed`: nobody expected it; the log says what.
 */
const dubbingFailures = [
  ...(['', 'film-gone', 'groups', 'too-many-groups'] as const),
  ...(['no-space', 'disk', 'ffmpeg', 'ffmpeg-missing', 'failed'] as const),
] as const;
export const DubbingFailure = z.enum(dubbingFailures);
export type DubbingFailure = z.infer<typeof DubbingFailure>;

/** What cannot be done to a project or a group, and why: `fact` of a refusal of the kind `dubbing`. */
const dubbingRefusals = [
  ...(['stream', 'no-sound', 'no-length', 'film-too-long', 'too-many-projects'] as const),
  ...(['split-ends', 'split-text', 'empty-text', 'no-neighbour', 'place'] as const),
] as const;
export const DubbingRefusal = z.enum(dubbingRefusals);
export type DubbingRefusal = z.infer<typeof DubbingRefusal>;

/** Steps in their order; `failed` and `paused` may follow any of them. `init` and `running`: it was asked for and begins. */
const dubbingStatuses = [
  ...(['init', 'running', 'extract', 'asr', 'translating', 'tts', 'rephrasing'] as const),
  ...(['done', 'failed', 'paused'] as const),
] as const;
export const DubbingStatus = z.enum(dubbingStatuses);
export type DubbingStatus = z.infer<typeof DubbingStatus>;

/** From where a task can be done again; what came before stays. */
export const dubbingSteps = ['extract', 'asr', 'translating', 'tts', 'rephrasing'] as const;
export type DubbingStep = (typeof dubbingSteps)[number];

/** What a step is done by: the fields of a room's assistant, of which each step uses some. */
export const DubbingAssistant = z.object(assistantFields);
export type DubbingAssistant = z.output<typeof DubbingAssistant>;

/** How a word of the film is to be said in the other language. */
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
  /** Of the film; empty where it is gone. */
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
  /** Its own id once it was started. */
  task: z.string().default(''),
  glossary: z.array(GlossaryLine).max(dubbingLimits.glossaryLines).default([]),
  /** What is heard of the film itself beside the voices. */
  background: z.enum(['off', 'ducked']).default('off'),
});
export type DubbingProject = z.output<typeof DubbingProject>;

const DubbingSegment = z.object({
  uuid: z.string(),
  id: z.int(),
  /** Seconds of the film. */
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** Where the part of the film begins that it was heard in. */
  original_start: z.number(),
});

/** `none`: it has no voice yet. `pause`: it ends in the pause behind its group. `long`: it would run into the next one. */
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
  /** A person wrote the translation, or changed it. */
  corrected: z.boolean(),
  rephrased: z.string(),
  rephrased_at: z.string(),
  /** A name of its voice; empty: none. */
  tts: z.string(),
  tts_at: z.string(),
  tts_duration: z.number(),
  /** Seconds left in the group; null: there is no voice yet. */
  free_space: z.number().nullable(),
  fit: z.enum(dubbingFits),
  /** Seconds that it is too long by. */
  over: z.number(),
  /** How much faster than it was spoken. */
  tempo: z.number(),
  /** Changes with everything about the group: an edit names the one it was made on. */
  revision: z.int(),
  /** Why the last step failed for this group; null: it did not. */
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
  /** Estimated; null: nobody knows yet. */
  secondsLeft: z.number().nullable(),
  /** Why it failed, or waits: of AI, otherwise, and in words. */
  cause: AiCause.nullable(),
  failure: DubbingFailure,
  message: z.string(),
  /** Parts of the film in which nothing could be understood: seconds. */
  missing: z.array(z.object({ start: z.number(), end: z.number() })),
  /** Names this state of the groups, for the next call. */
  cursor: z.string(),
  /** The state to which `groups` are what changed; empty: they are all there. */
  since: z.string(),
  /** Ids of all groups in the order of the film; null: as in that state. */
  order: z.array(z.string()).nullable(),
});
export type DubbingTask = z.infer<typeof DubbingTask>;
