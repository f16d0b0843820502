import * as z from 'zod';
import { room } from '../endpoint.ts';

export const talkLimits = {
  /** Request with base64 audio. */
  bodyBytes: 8 * 1024 * 1024,
  audioSeconds: 60,
  textCharacters: 2000,
  nameCharacters: 64,
  /** Concurrent users per room. */
  users: 50,
  subscribers: 100,
  uploads: 8,
  /** AI calls per minute by all guests of a room, and by one address. */
  roomCallsPerMinute: 240,
  addressCallsPerMinute: 60,
  /** Interim recognitions by built-in AI. */
  roomLooksPerMinute: 600,
  addressLooksPerMinute: 150,
  /** Interim recognition gets only the end of the audio. */
  interimSeconds: 15,
  /** Rooms with a conversation. */
  stages: 100,
} as const;

const path = '/terraform/v1/ai-talk';

/** Paths of spoken answers and of the two greeting voices. */
export const talkPaths = { tts: `${path}/subscribe/tts`, helloVoices: `${path}/stage/hello-voices` } as const;
/** Headers with room and token, checked before the audio body is read, so that uploads of strangers cannot displace guests. */
export const talkHeaders = { room: 'x-room', roomToken: 'x-room-token' } as const;
export const helloVoices = ['hello-english.aac', 'hello-chinese.aac'] as const;

const id = z.string().max(128).default('');
/** Guests only; administrators need none. */
const key = { room: id, roomToken: id };
const onStage = { ...key, sid: id };
/** `userSecret` was issued with `userId`. Clients without it are identified by address. */
const asUser = { userId: id, userSecret: id };

/** `at` is ISO 8601. */
export const TalkMessage = z.object({
  mid: z.string(),
  rid: z.string(),
  role: z.enum(['user', 'assistant']),
  username: z.string(),
  /** Set on the first part of an answer. */
  sentence: z.boolean().optional(),
  msg: z.string(),
  /** Id of the audio; empty if there is none. */
  asid: z.string(),
  /** Audio exists or is being generated; a request for it waits. */
  hasAudio: z.boolean(),
  at: z.string(),
});
export type TalkMessage = z.infer<typeof TalkMessage>;

/**
 * Reasons for a missing answer, for pages with their own texts. `late`: AI took too long. `failed`: AI failed, `fact` is in the log.
 * `day-limit`, `minute-limit`: limit reached. `crowd`: too many users. `unheard`: no speech recognised. `no-audio`: cannot be decoded.
 * `language`: no recogniser here understands the language, whose code is `fact`. `text-only`: the room accepts no speech. `ended`: the conversation is over. `restarted`: the server was restarted meanwhile.
 */
const talkProblems = [
  'late',
  'failed',
  'day-limit',
  'minute-limit',
  'crowd',
  'unheard',
  'language',
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
      /** Guests may correct recognised text before sending. Newer than the original API. */
      aiAsrEdit: z.boolean(),
      /** Title of the room. Newer than the original API. */
      title: z.string(),
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
      /** Text already recognised by `hear`; precedes the text of the audio. */
      heard: z.string().max(talkLimits.textCharacters).default(''),
      /** Number of texts merged into one question; 0 for none. */
      mergeMessages: z.int().min(0).max(100).default(0),
      /** Sends waiting texts now, also without new input. */
      flush: z.boolean().default(false),
      /** Repeats the failed question of this round without new input or duplicate messages. */
      again: z.boolean().default(false),
    }),
    data: z.object({ rid: z.string(), asr: z.string() }),
  }),
  hear: room(`${path}/stage/hear`, {
    summary: 'Transcribe speech without sending it: as a caption, or as text to correct before sending',
    body: z.object({
      ...onStage,
      ...asUser,
      /** WAV, 16 kHz, mono, 16 bit, unless done. */
      audio: z.string().max(talkLimits.bodyBytes).default(''),
      /** `speaking`: mid-sentence. `pausing`: the sentence seems complete. `done`: complete. */
      moment: z.enum(['speaking', 'pausing', 'done']).default('done'),
    }),
    data: z.object({
      /** Empty if no recognition was run, for lack of time or because it would cost money. */
      text: z.string(),
      /** Final result, counted as one message. Otherwise interim, and a later one may correct it. */
      isFinal: z.boolean(),
      /** Built-in AI recognises: interim results are free. */
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
      /** The question was recognised: an upload with `again` repeats it. */
      again: z.boolean(),
    }),
  }),
  subscribe: room(`${path}/subscribe/start`, {
    summary: 'Subscribe to the messages of a room',
    /** `history` includes earlier messages without audio, as far as they are kept. */
    body: z.object({ ...key, history: z.boolean().default(false) }),
    data: z.object({ sid: z.string(), spid: z.string(), voice: z.string() }),
  }),
  messages: room(`${path}/subscribe/query`, {
    summary: 'Get new messages; with `after`, all messages after that one',
    /** `after` is the last received message; empty returns all. */
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
