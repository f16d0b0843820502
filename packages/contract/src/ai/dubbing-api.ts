import * as z from 'zod';
import { post } from '../endpoint.ts';
import { Source, SourceRef, sourceLimits } from '../work/source.ts';
import {
  DubbingAssistant,
  DubbingFailure,
  DubbingProject,
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

/** Bytes, not envelopes. The first two are for players, which send no headers: `token` of the address is the API secret or a link. */
export const dubbingPaths = { play: `${path}/play`, voice: `${path}/task-tts`, export: `${path}/export` } as const;

const ofTask = { uuid: Uuid, task: Uuid };
/** With the cursor of an earlier answer, only what changed since is answered: films have thousands of groups. */
const since = z.string().max(64).default('');
const ofGroup = { ...ofTask, group: Uuid, since };
const revision = z.int().optional();
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

/** A group as a client knew it: what it said, and where it stood. */
const KnownGroup = z.object({
  uuid: z.string().regex(/^[\w-]{1,64}$/),
  segments: z
    .array(
      z.object({
        uuid: z.string().max(64),
        ...{ start: Second, end: Second, original_start: Second },
        text: Text.trim().min(1),
      }),
    )
    .min(1)
    .max(dubbingLimits.segments),
  ...{ start: Second, end: Second, translated: Text, rephrased: Text },
});
export type KnownGroup = z.output<typeof KnownGroup>;

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
  cancel: post(`${path}/task-cancel`, {
    summary: 'Stop working and forget all that was made; the project and its settings stay',
    body: z.object({ uuid: Uuid }),
    data: z.null(),
  }),
  restart: post(`${path}/task-restart`, {
    summary: 'Do it again from a step: what that step and later ones made is forgotten',
    body: z.object({ uuid: Uuid, step: z.enum(dubbingSteps) }),
    data: started,
  }),
  task: post(`${path}/task-query`, {
    summary: 'Get how far dubbing is, and all groups or those that changed',
    body: z.object({ ...ofTask, since }),
    data: DubbingTask,
  }),
  rephrase: post(`${path}/task-rephrase`, {
    summary: 'Say a group in other, fewer words',
    body: z.object(ofGroup),
    data: DubbingTask,
  }),
  speak: post(`${path}/task-speak`, {
    summary: 'Speak a group once more, in the same words',
    body: z.object({ ...ofGroup, revision }),
    data: DubbingTask,
  }),
  merge: post(`${path}/task-merge`, {
    summary: 'Make one group of two',
    body: z.object({ ...ofGroup, direction: z.string().max(16).default('') }),
    data: DubbingTask,
  }),
  split: post(`${path}/task-split`, {
    summary: 'Make two groups of one: the second begins at this second of the film',
    body: z.object({ ...ofGroup, revision, at: Second }),
    data: DubbingTask,
  }),
  edit: post(`${path}/task-edit`, {
    summary: 'Correct what is said in a group or where it stands; what depends on it is made again',
    body: z.object({
      ...{ ...ofGroup, revision },
      /** What was said in the film. */
      text: Text.optional(),
      /** What is to be said instead. */
      translated: Text.optional(),
      start: Second.optional(),
      end: Second.optional(),
    }),
    data: DubbingTask,
  }),
  regroup: post(`${path}/task-regroup`, {
    summary: 'Put one or two groups back as they were, before they were split, merged or rephrased',
    body: z.object({
      ...{ ...ofTask, since },
      /** Neighbours that are there now, each as it was last seen. */
      groups: z
        .array(z.object({ group: Uuid, revision: z.int() }))
        .min(1)
        .max(2),
      /** What is to be there instead. */
      known: z.array(KnownGroup).min(1).max(2),
    }),
    data: DubbingTask,
  }),
  peaks: post(`${path}/peaks`, {
    summary: 'Get how loud the film is, for a waveform; empty before its sound was taken out',
    body: z.object({ uuid: Uuid }),
    data: z.object({
      /** A byte each, as base64: half decibels, 0 is silence and 255 the loudest there can be. */
      peaks: z.string(),
      perSecond: z.int(),
      /** From here on it is a voice, and silence below. */
      voice: z.number(),
    }),
  }),
  exportState: post(`${path}/export-query`, {
    summary: 'Make the film as it is now, in the background, and tell how far that is',
    body: z.object({ ...ofTask, start: z.boolean().default(false) }),
    data: z.object({
      /** `none`: nobody asked for this one yet. */
      state: z.enum(['none', 'making', 'ready', 'failed']),
      percent: z.number(),
      failure: DubbingFailure,
      message: z.string(),
      bytes: z.number(),
      /** Of the disk, where there is too little: what it takes, and what is free. */
      room: z.object({ needBytes: z.number(), freeBytes: z.number() }).nullable(),
    }),
  }),
} as const;
