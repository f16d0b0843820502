import * as z from 'zod';
import { post } from '../endpoint.ts';
import { Source, SourceProbe, SourceRef, sourceLimits } from '../work/source.ts';
import { AiCause } from './ai.ts';
import { assistantFields } from './room.ts';

export const dubbingLimits = {
  projects: 200,
  titleCharacters: 200,
  /** Of a film: about five hours of people who never stop talking. */
  groups: 6000,
  groupCharacters: 2000,
  glossaryLines: 200,
  glossaryCharacters: 100,
  filmSeconds: 6 * 3600,
  /** Tries to say a thing shorter, before it is spoken faster. */
  rephrasings: 3,
  fastest: 1.25,
} as const;

/** Steps in their order; `failed` and `paused` may follow any of them. `init` and `running`: it was asked for and begins. */
const dubbingStatuses = [
  ...(['init', 'running', 'extract', 'asr', 'translating', 'tts', 'rephrasing'] as const),
  ...(['done', 'failed', 'paused'] as const),
] as const;
export const DubbingStatus = z.enum(dubbingStatuses);
export type DubbingStatus = z.infer<typeof DubbingStatus>;

/** From where a task can be done again; what came before stays. */
const dubbingSteps = ['extract', 'asr', 'translating', 'tts'] as const;
export type DubbingStep = (typeof dubbingSteps)[number];

/** What a step is done by: the fields of a room's assistant, of which each step uses some. */
export const DubbingAssistant = z.object(assistantFields);
export type DubbingAssistant = z.output<typeof DubbingAssistant>;

/** How a word of the film is to be said in the other language. */
const GlossaryLine = z.object({
  source: z.string().trim().min(1).max(dubbingLimits.glossaryCharacters),
  target: z.string().trim().min(1).max(dubbingLimits.glossaryCharacters),
});

const Title = z
  .string()
  .transform((text) => text.trim())
  .pipe(z.string().min(1).max(dubbingLimits.titleCharacters));

const Uuid = z.string().max(64).default('');
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
  /** Why it failed, or waits: of AI, and in words. */
  cause: AiCause.nullable(),
  message: z.string(),
  /** Parts of the film in which nothing could be understood: seconds. */
  missing: z.array(z.object({ start: z.number(), end: z.number() })),
});
export type DubbingTask = z.infer<typeof DubbingTask>;

const path = '/terraform/v1/dubbing';

/** Bytes, not envelopes. The first two are for players, which send no headers: `token` of the address is the API secret or a link. */
export const dubbingPaths = { play: `${path}/play`, voice: `${path}/task-tts`, export: `${path}/export` } as const;

const ofTask = { uuid: Uuid, task: Uuid };
const ofGroup = { ...ofTask, group: Uuid };
const started = DubbingTask.pick({ uuid: true, session: true, status: true });

/** Clients send the whole project; whatever is not in a call stays as it is. */
export const DubbingChange = z
  .object({
    ...{ uuid: Uuid, title: Title },
    ...{ asr: DubbingAssistant.nullable(), trans: DubbingAssistant.nullable() },
    ...{ rephrase: DubbingAssistant.nullable(), tts: DubbingAssistant.nullable() },
    ...{ glossary: z.array(GlossaryLine).max(dubbingLimits.glossaryLines), background: z.enum(['off', 'ducked']) },
  })
  .partial();
export type DubbingChange = z.infer<typeof DubbingChange>;

const Text = z.string().max(dubbingLimits.groupCharacters);
const Second = z.number().min(0).max(dubbingLimits.filmSeconds);

export const dubbingApi = {
  source: post(`${path}/source`, {
    summary: 'Look into a prepared film and keep it',
    body: z.object({ files: z.array(SourceRef).max(sourceLimits.files).default([]) }),
    data: z.object({ files: z.array(Source) }),
  }),
  create: post(`${path}/create`, {
    summary: 'Begin a dubbing project with one film',
    body: z.object({ title: Title, files: z.array(SourceRef).max(sourceLimits.files).default([]) }),
    data: DubbingProject,
  }),
  list: post(`${path}/list`, {
    summary: 'List dubbing projects, newest first',
    data: z.object({ projects: z.array(DubbingProject) }),
  }),
  query: post(`${path}/query`, {
    summary: 'Get a dubbing project, with masked keys',
    body: z.object({ uuid: Uuid }),
    data: DubbingProject,
  }),
  update: post(`${path}/update`, {
    summary: 'Change a dubbing project; fields that are not given stay as they are',
    body: DubbingChange,
    data: DubbingProject,
  }),
  remove: post(`${path}/remove`, {
    summary: 'End the work of a dubbing project and remove all of it',
    body: z.object({ uuid: Uuid }),
    data: z.null(),
  }),
  links: post(`${path}/links`, {
    summary: 'Get a token for the players of a project, good for some hours',
    body: z.object({ uuid: Uuid }),
    data: z.object({ token: z.string() }),
  }),
  start: post(`${path}/task-start`, {
    summary: 'Begin dubbing, or go on with it where it stopped',
    body: z.object({ uuid: Uuid }),
    data: started,
  }),
  pause: post(`${path}/task-pause`, {
    summary: 'Stop working; what is done stays',
    body: z.object({ uuid: Uuid }),
    data: started,
  }),
  restart: post(`${path}/task-restart`, {
    summary: 'Do it again from a step: what that step and later ones made is forgotten',
    body: z.object({ uuid: Uuid, step: z.enum(dubbingSteps) }),
    data: started,
  }),
  task: post(`${path}/task-query`, {
    summary: 'Get how far dubbing is, and all groups',
    body: z.object(ofTask),
    data: DubbingTask,
  }),
  rephrase: post(`${path}/task-rephrase`, {
    summary: 'Say a group in other, fewer words',
    body: z.object(ofGroup),
    data: DubbingTask,
  }),
  merge: post(`${path}/task-merge`, {
    summary: 'Make one group of two',
    body: z.object({ ...ofGroup, direction: z.string().max(16).default('') }),
    data: DubbingTask,
  }),
  split: post(`${path}/task-split`, {
    summary: 'Make two groups of one: the second begins at this second of the film',
    body: z.object({ ...ofGroup, revision: z.int().optional(), at: Second }),
    data: DubbingTask,
  }),
  edit: post(`${path}/task-edit`, {
    summary: 'Correct what is said in a group or where it stands; what depends on it is made again',
    body: z.object({
      ...ofGroup,
      revision: z.int().optional(),
      /** What was said in the film. */
      text: Text.optional(),
      /** What is to be said instead. */
      translated: Text.optional(),
      start: Second.optional(),
      end: Second.optional(),
    }),
    data: DubbingTask,
  }),
  peaks: post(`${path}/peaks`, {
    summary: 'Get how loud the film is, for a waveform; empty before its sound was taken out',
    body: z.object({ uuid: Uuid }),
    data: z.object({
      /** Half decibels: 0 is silence, 255 the loudest there can be. */
      peaks: z.array(z.int().min(0).max(255)),
      perSecond: z.int(),
    }),
  }),
  exportState: post(`${path}/export-query`, {
    summary: 'Make the film as it is now, in the background, and tell how far that is',
    body: z.object({ ...ofTask, start: z.boolean().default(false) }),
    data: z.object({
      /** `none`: nobody asked for this one yet. */
      state: z.enum(['none', 'making', 'ready', 'failed']),
      percent: z.number(),
      message: z.string(),
      bytes: z.number(),
    }),
  }),
} as const;
