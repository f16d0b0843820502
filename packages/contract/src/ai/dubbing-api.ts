import * as z from 'zod';
import { post } from '../endpoint.ts';
import { Source, SourceRef, sourceLimits } from '../media/source.ts';
import {
  DubbingAssistant,
  DubbingFailure,
  DubbingProject,
  DubbingStatus,
  DubbingTask,
  dubbingLimits,
  dubbingSteps,
  GlossaryLine,
} from './dubbing.ts';

const Title = z
  .string()
  .transform((text) => text.trim())
  .pipe(z.string().min(1).max(dubbingLimits.titleCharacters));

const Uuid = z.string().max(64).default('');
const path = '/terraform/v1/dubbing';

/** Binary responses. The first two are for media elements, which send no headers: `token` in the query is the API secret or a link. */
export const dubbingPaths = { play: `${path}/play`, voice: `${path}/task-tts`, export: `${path}/export` } as const;

const ofTask = { uuid: Uuid, task: Uuid };
/** Cursor of an earlier response: only later changes are returned, because long media has thousands of groups. */
const since = z.string().max(64).default('');
const ofGroup = { ...ofTask, group: Uuid, since };
const revision = z.int().optional();
/** Progress of one project in a list. */
const DubbingState = z.object({ uuid: z.string(), status: DubbingStatus, percent: z.number() });
export type DubbingState = z.infer<typeof DubbingState>;
const started = DubbingTask.pick({ uuid: true, session: true, status: true });

/** Clients send the whole project; omitted fields stay unchanged. */
export const DubbingChange = z
  .object({
    uuid: Uuid,
    title: Title,
    asr: DubbingAssistant.nullable(),
    trans: DubbingAssistant.nullable(),
    rephrase: DubbingAssistant.nullable(),
    tts: DubbingAssistant.nullable(),
    glossary: z.array(GlossaryLine).max(dubbingLimits.glossaryLines),
    background: z.enum(['off', 'ducked']),
  })
  .partial();
export type DubbingChange = z.infer<typeof DubbingChange>;

const Text = z.string().max(dubbingLimits.groupCharacters);
const Second = z.number().min(0).max(dubbingLimits.filmSeconds);

/** Group as the client last saw it. */
const KnownGroup = z.object({
  uuid: z.string().regex(/^[\w-]{1,64}$/),
  segments: z
    .array(
      z.object({
        uuid: z.string().max(64),
        start: Second,
        end: Second,
        original_start: Second,
        text: Text.trim().min(1),
      }),
    )
    .min(1)
    .max(dubbingLimits.segments),
  start: Second,
  end: Second,
  translated: Text,
  rephrased: Text,
});
export type KnownGroup = z.output<typeof KnownGroup>;

export const dubbingApi = {
  source: post(`${path}/source`, {
    summary: 'Check a prepared video and add it to the library',
    body: z.object({ files: z.array(SourceRef).max(sourceLimits.files).default([]) }),
    data: z.object({ files: z.array(Source) }),
  }),
  create: post(`${path}/create`, {
    summary: 'Create a dubbing project with one video',
    body: z.object({ title: Title, files: z.array(SourceRef).max(sourceLimits.files).default([]) }),
    data: DubbingProject,
  }),
  list: post(`${path}/list`, {
    summary: 'List dubbing projects, newest first',
    data: z.object({
      projects: z.array(DubbingProject),
      /** Started projects. Newer than the original API. */
      states: z.array(DubbingState).default([]),
    }),
  }),
  query: post(`${path}/query`, {
    summary: 'Get a dubbing project, with masked keys',
    body: z.object({ uuid: Uuid }),
    data: DubbingProject,
  }),
  update: post(`${path}/update`, {
    summary: 'Change a dubbing project; omitted fields stay unchanged',
    body: DubbingChange,
    data: DubbingProject,
  }),
  remove: post(`${path}/remove`, {
    summary: 'Stop a dubbing project and delete it with its files',
    body: z.object({ uuid: Uuid }),
    data: z.null(),
  }),
  links: post(`${path}/links`, {
    summary: 'Get a token for the media URLs of a project, valid for a few hours',
    body: z.object({ uuid: Uuid }),
    data: z.object({ token: z.string() }),
  }),
  start: post(`${path}/task-start`, {
    summary: 'Start dubbing, or resume it where it stopped',
    body: z.object({ uuid: Uuid }),
    data: started,
  }),
  pause: post(`${path}/task-pause`, {
    summary: 'Pause dubbing; finished work is kept',
    body: z.object({ uuid: Uuid }),
    data: started,
  }),
  cancel: post(`${path}/task-cancel`, {
    summary: 'Cancel dubbing and delete its results; the project and its settings stay',
    body: z.object({ uuid: Uuid }),
    data: z.null(),
  }),
  restart: post(`${path}/task-restart`, {
    summary: 'Start over from a step; results of this step and all later ones are deleted',
    body: z.object({ uuid: Uuid, step: z.enum(dubbingSteps) }),
    data: started,
  }),
  task: post(`${path}/task-query`, {
    summary: 'Get the progress of dubbing, and all groups or those that changed',
    body: z.object({ ...ofTask, since }),
    data: DubbingTask,
  }),
  rephrase: post(`${path}/task-rephrase`, {
    summary: 'Rephrase a group in fewer words',
    body: z.object(ofGroup),
    data: DubbingTask,
  }),
  speak: post(`${path}/task-speak`, {
    summary: 'Speak a group again with the same text',
    body: z.object({ ...ofGroup, revision }),
    data: DubbingTask,
  }),
  merge: post(`${path}/task-merge`, {
    summary: 'Merge two groups into one',
    body: z.object({ ...ofGroup, direction: z.string().max(16).default('') }),
    data: DubbingTask,
  }),
  split: post(`${path}/task-split`, {
    summary: 'Split a group in two; the second starts at this second of the video',
    body: z.object({ ...ofGroup, revision, at: Second }),
    data: DubbingTask,
  }),
  edit: post(`${path}/task-edit`, {
    summary: 'Change the text or the times of a group; everything that depends on them is made again',
    body: z.object({
      ...ofGroup,
      revision,
      /** Original text. */
      text: Text.optional(),
      /** Translated text. */
      translated: Text.optional(),
      start: Second.optional(),
      end: Second.optional(),
    }),
    data: DubbingTask,
  }),
  regroup: post(`${path}/task-regroup`, {
    summary: 'Restore one or two groups to an earlier version, to undo a split, merge or rephrase',
    body: z.object({
      ...ofTask,
      since,
      /** Adjacent groups as last seen by the client. */
      groups: z
        .array(z.object({ group: Uuid, revision: z.int() }))
        .min(1)
        .max(2),
      /** Groups that replace them. */
      known: z.array(KnownGroup).min(1).max(2),
    }),
    data: DubbingTask,
  }),
  peaks: post(`${path}/peaks`, {
    summary: 'Get the audio levels of the video for a waveform; empty until the audio is extracted',
    body: z.object({ uuid: Uuid }),
    data: z.object({
      /** Peaks as base64, one byte each in half decibels: 0 is silence, 255 full scale. */
      peaks: z.string(),
      perSecond: z.int(),
      /** Speech threshold. */
      voice: z.number(),
    }),
  }),
  exportState: post(`${path}/export-query`, {
    summary: 'Get the progress of the export; with `start`, make the dubbed video in the background',
    body: z.object({ ...ofTask, start: z.boolean().default(false) }),
    data: z.object({
      /** `none`: not requested yet. */
      state: z.enum(['none', 'making', 'ready', 'failed']),
      percent: z.number(),
      failure: DubbingFailure,
      message: z.string(),
      bytes: z.number(),
      /** Missing disk space: required and free bytes. */
      room: z.object({ needBytes: z.number(), freeBytes: z.number() }).nullable(),
    }),
  }),
} as const;
