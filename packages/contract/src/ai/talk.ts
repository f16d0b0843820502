import * as z from 'zod';
import { room } from '../endpoint.ts';

export const talkLimits = {
  /** Of a request with audio in it, as base64. */
  bodyBytes: 8 * 1024 * 1024,
  audioSeconds: 60,
  textCharacters: 2000,
  nameCharacters: 64,
  /** At once, in one room. */
  users: 50,
  subscribers: 100,
  uploads: 8,
  /** Questions to AI by guests of one room in a minute, and by one address. */
  roomCallsPerMinute: 240,
  addressCallsPerMinute: 60,
  /** Looks at what is still being said, by built-in AI. */
  roomLooksPerMinute: 600,
  addressLooksPerMinute: 150,
  /** Rooms that somebody talks in. */
  stages: 100,
} as const;

const path = '/terraform/v1/ai-talk';

/** Who may read what is spoken, and the two voices that greet. */
export const talkPaths = { tts: `${path}/subscribe/tts`, helloVoices: `${path}/stage/hello-voices` } as const;
/** Tell room and token before a body with audio is read: such a request has its place among guests, however many strangers send something. */
export const talkHeaders = { room: 'x-room', roomToken: 'x-room-token' } as const;
export const helloVoices = ['hello-english.aac', 'hello-chinese.aac'] as const;

const id = z.string().max(128).default('');
/** Of guests; the administrator needs none. */
const key = { room: id, roomToken: id };
const onStage = { ...key, sid: id };
/** `userSecret` came with `userId`. Clients that do not know it are known by their address. */
const asUser = { userId: id, userSecret: id };

/** `at`: when it was said, in ISO 8601. */
export const TalkMessage = z.object({
  mid: z.string(),
  rid: z.string(),
  role: z.enum(['user', 'assistant']),
  username: z.string(),
  /** On the first piece of an answer. */
  sentence: z.boolean().optional(),
  msg: z.string(),
  /** Names the audio of it; empty: there is none. */
  asid: z.string(),
  /** There is audio, or it is being made: who asks for it waits for it. */
  hasAudio: z.boolean(),
  at: z.string(),
});
export type TalkMessage = z.infer<typeof TalkMessage>;

/**
 * Why a guest got no answer, for pages that say it in their own words. `late`: AI took too long. `failed`: it does not work, `fact` is found in the log.
 * `day-limit`, `minute-limit`: enough was said for now. `crowd`: too many at once. `unheard`: no words were understood. `no-audio`: it cannot be decoded.
 * `text-only`: the room takes no speech. `ended`: the conversation is over, begin anew. `restarted`: the server was restarted meanwhile.
 */
const talkProblems = [
  'late',
  'failed',
  'day-limit',
  'minute-limit',
  'crowd',
  'unheard',
  'no-audio',
  'text-only',
  'ended',
  'restarted',
] as const;
export const TalkProblem = z.enum(talkProblems);
export type TalkProblem = z.infer<typeof TalkProblem>;

const TalkUser = z.object({
  userId: z.string(),
  username: z.string().optional(),
  language: z.string().optional(),
  voice: z.string(),
});
export type TalkUser = z.infer<typeof TalkUser>;

export const talkApi = {
  verify: room(`${path}/stage/verify`, { summary: 'Check a guest token', body: z.object(key), data: z.null() }),
  start: room(`${path}/stage/start`, {
    summary: 'Join the conversation of a room as a user; starts it if there is none',
    body: z.object(key),
    data: z.object({
      sid: z.string(),
      roomToken: z.string(),
      userId: z.string(),
      userSecret: z.string(),
      aiAsrEnabled: z.boolean(),
      /** An addition: what was heard may be corrected before it is sent. */
      aiAsrEdit: z.boolean(),
    }),
  }),
  conversation: room(`${path}/stage/conversation`, {
    summary: 'Start a round: a question and its answer',
    body: z.object(onStage),
    data: z.object({ rid: z.string() }),
  }),
  upload: room(`${path}/stage/upload`, {
    summary:
      'Send a message as base64 audio or as text; if both are given, the text is used. Repeats in the same round have no effect',
    body: z.object({
      ...onStage,
      ...asUser,
      rid: id,
      umi: z.number().optional(),
      audio: z.string().max(talkLimits.bodyBytes).default(''),
      text: z.string().max(talkLimits.textCharacters).default(''),
      /** What was understood of it before, by `hear`; stands in front of what the audio says. */
      heard: z.string().max(talkLimits.textCharacters).default(''),
      /** How many texts of this user make one question; 0: each. */
      mergeMessages: z.int().min(0).max(100).default(0),
      /** Ask what waits for more to come, also without audio and text. */
      flush: z.boolean().default(false),
      /** Ask the question of this round again, whose answer failed. Nothing need be said again, and nothing is told twice. */
      again: z.boolean().default(false),
    }),
    data: z.object({ rid: z.string(), asr: z.string() }),
  }),
  hear: room(`${path}/stage/hear`, {
    summary: 'Transcribe speech without sending it: as a caption, or as text to correct before sending',
    body: z.object({
      ...onStage,
      ...asUser,
      /** WAV of 16 kHz, mono, 16 bit, unless it is done. */
      audio: z.string().max(talkLimits.bodyBytes).default(''),
      /** `speaking`: somebody is in the middle of it. `pausing`: the sentence seems to be over. `done`: all of it. */
      moment: z.enum(['speaking', 'pausing', 'done']).default('done'),
    }),
    data: z.object({
      /** Empty where nobody had time to look, or looks would cost something. */
      text: z.string(),
      /** Understood as an upload is, and counted as one message. Otherwise a look, which a later one may correct. */
      isFinal: z.boolean(),
      /** Built-in AI hears: looks while somebody speaks cost nothing. */
      canLook: z.boolean(),
    }),
  }),
  query: room(`${path}/stage/query`, {
    summary: 'Get whether a round is finished, and why it failed',
    body: z.object({ ...onStage, rid: id }),
    data: z.object({
      finished: z.boolean(),
      message: z.string(),
      why: z.object({ kind: TalkProblem, fact: z.string() }).nullable(),
      /** The question was understood: an upload with `again` asks it once more. */
      again: z.boolean(),
    }),
  }),
  subscribe: room(`${path}/subscribe/start`, {
    summary: 'Subscribe to the messages of a room',
    /** `history`: also what was said before, without its audio, as far as it is still known. */
    body: z.object({ ...key, history: z.boolean().default(false) }),
    data: z.object({ sid: z.string(), spid: z.string(), voice: z.string() }),
  }),
  messages: room(`${path}/subscribe/query`, {
    summary: 'Get new messages; with `after`, all messages after that one',
    /** `after`: the last that arrived; empty: none did, so all are told again. */
    body: z.object({ ...onStage, ...asUser, spid: id, after: z.string().max(128).optional() }),
    data: z.object({ msgs: z.array(TalkMessage), pending: z.boolean() }),
  }),
  drop: room(`${path}/subscribe/remove`, {
    summary: 'Release the audio of a message',
    body: z.object({ ...onStage, spid: id, asid: id }),
    data: z.null(),
  }),
  user: room(`${path}/user/query`, {
    summary: 'Get a user of a conversation',
    body: z.object({ ...onStage, ...asUser }),
    data: TalkUser,
  }),
  updateUser: room(`${path}/user/update`, {
    summary: 'Set the name and language of a user',
    body: z.object({
      ...onStage,
      ...asUser,
      name: z.string().max(talkLimits.nameCharacters).default(''),
      lang: z.string().max(16).default(''),
    }),
    data: TalkUser,
  }),
} as const;
