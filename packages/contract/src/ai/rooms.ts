import { isUsableName } from '@weir/dialect';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';
import { PublishSecret } from '../server/publish-auth.ts';
import { aiTaskLimits } from './ai-task.ts';

export const roomLimits = {
  rooms: 500,
  titleCharacters: 200,
  nameCharacters: 64,
  promptCharacters: 4000,
  window: 100,
  words: 10_000,
  waitSeconds: { least: 5, most: 300 },
  messagesPerDay: 1_000_000,
} as const;

/** What a new room begins with in the console; the call that creates one leaves all of it empty. */
export const roomDefaults = {
  aiProvider: 'openai',
  aiAsrPrompt: 'user-ai',
  aiChatMaxWindow: 5,
  aiChatMaxWords: 300,
  aiPostMaxWindow: 5,
  aiPostMaxWords: 300,
} as const;

const Setting = z.string().max(aiTaskLimits.settingCharacters);
/** Questions and answers before that the model is told of. */
const Window = z.int().min(0).max(roomLimits.window);
/** Of one answer; 0: as many as the model likes. */
const Words = z.int().min(0).max(roomLimits.words);
const Prompt = z.string().max(roomLimits.promptCharacters);

const title = z
  .string()
  .transform((text) => text.trim())
  .pipe(z.string().min(1).max(roomLimits.titleCharacters));
const stream = z
  .string()
  .min(1)
  .max(limits.streamNameCharacters)
  .refine((name) => isUsableName(name) && !name.includes('/'), 'is not a valid stream name');
const roomToken = z
  .string()
  .min(16)
  .max(128)
  .refine((token) => /^[\w.~-]+$/.test(token), 'may contain only letters, digits and - . _ ~');

/** What the owner decides of a room. */
const settings = {
  /** Whether guests may talk to the assistant. */
  assistant: z.boolean(),
  aiName: z.string().max(roomLimits.nameCharacters),
  aiProvider: Setting,
  /** Shown as a mask; a mask sent back means: as it is. Empty: the global provider. */
  aiSecretKey: Setting,
  aiOrganization: Setting,
  aiBaseURL: Setting,
  aiAsrEnabled: z.boolean(),
  aiChatEnabled: z.boolean(),
  aiPostEnabled: z.boolean(),
  aiTtsEnabled: z.boolean(),
  aiAsrLanguage: z.string().max(16),
  /** What the speech model is told to know words by: `user-ai` adds the last answer of the assistant to what the guest said. */
  aiAsrPrompt: z.string().max(roomLimits.nameCharacters),
  /** An addition: guests correct what was heard before they send it. */
  aiAsrEdit: z.boolean(),
  /** An addition, like the next two; empty: the usual ones of the provider. */
  aiAsrModel: Setting,
  aiTtsModel: Setting,
  aiTtsVoice: Setting,
  aiChatModel: Setting,
  aiChatPrompt: Prompt,
  aiChatMaxWindow: Window,
  aiChatMaxWords: Words,
  aiPostModel: Setting,
  aiPostPrompt: Prompt,
  aiPostMaxWindow: Window,
  aiPostMaxWords: Words,
  /** How long guests wait for the first words of an answer; half as long for what they said to be understood. More for slow models of one's own. */
  aiMaxWaitSeconds: z.int().min(roomLimits.waitSeconds.least).max(roomLimits.waitSeconds.most),
  /** What guests may say in a UTC day, all together; 0: only the limit for all rooms counts. */
  aiMaxMessagesPerDay: z.int().min(0).max(roomLimits.messagesPerDay),
};

/** Of a new room. */
const blank = {
  assistant: true,
  aiName: '',
  aiProvider: '',
  aiSecretKey: '',
  aiOrganization: '',
  aiBaseURL: '',
  aiAsrEnabled: true,
  aiChatEnabled: true,
  aiPostEnabled: false,
  aiTtsEnabled: true,
  aiAsrLanguage: '',
  aiAsrPrompt: '',
  aiAsrEdit: false,
  aiAsrModel: '',
  aiTtsModel: '',
  aiTtsVoice: '',
  aiChatModel: '',
  aiChatPrompt: '',
  aiChatMaxWindow: 0,
  aiChatMaxWords: 0,
  aiPostModel: '',
  aiPostPrompt: '',
  aiPostMaxWindow: 0,
  aiPostMaxWords: 0,
  aiMaxWaitSeconds: 30,
  aiMaxMessagesPerDay: 1000,
};

type Filled = { [Name in keyof typeof settings]: z.ZodDefault<(typeof settings)[Name]> };
/** With the values of a new room. Dubbing has the same fields four times. */
export const assistantFields = Object.fromEntries(
  Object.entries<z.ZodType>(settings).map(([name, type]) => [name, type.default(blank[name as keyof typeof blank])]),
) as Filled;

/** Lenient: what is stored outlives the rules by which it was taken. */
export const Room = z.object({
  uuid: z.string(),
  title: z.string(),
  /** The name that a publisher uses, with the secret: `/live/{stream}?secret={secret}`. */
  stream: z.string(),
  secret: z.string(),
  /** What guests show instead of a password. */
  roomToken: z.string(),
  /** The conversation that goes on; empty: none. */
  stage_uuid: z.string().default(''),
  created_at: z.string(),
  ...assistantFields,
});
export type Room = z.infer<typeof Room>;

const uuid = z.string().max(64).default('');
const path = '/terraform/v1/live/room';

/** Clients send the whole room; whatever is not in a call stays as it is. */
export const RoomChange = z.object({ uuid, title, stream, secret: PublishSecret, roomToken, ...settings }).partial();
export type RoomChange = z.infer<typeof RoomChange>;

/** What guests of a room said today, and may. */
const RoomUsage = z.object({
  /** UTC, `2026-03-01`. */
  day: z.string(),
  messages: z.int(),
  /** Of speech among them. */
  audioSeconds: z.number(),
  /** `aiMaxMessagesPerDay`. */
  mostMessages: z.int(),
  /** Guests are told to come back tomorrow. */
  isReached: z.boolean(),
});
export type RoomUsage = z.infer<typeof RoomUsage>;

export const roomsApi = {
  create: post(`${path}/create`, {
    summary: 'Create a live room with its own stream name, publish secret and guest token',
    body: z.object({ title }),
    data: Room,
  }),
  query: post(`${path}/query`, { summary: 'Get a live room', body: z.object({ uuid }), data: Room }),
  update: post(`${path}/update`, {
    summary: 'Change a live room; omitted fields stay unchanged',
    body: RoomChange,
    data: Room,
  }),
  list: post(`${path}/list`, { summary: 'List live rooms, newest first', data: z.object({ rooms: z.array(Room) }) }),
  remove: post(`${path}/remove`, {
    summary: 'Remove a live room and its secret',
    body: z.object({ uuid }),
    data: z.null(),
  }),
  usage: post(`${path}/usage`, {
    summary: 'Get how many messages guests of a live room sent today, with the limit',
    body: z.object({ uuid }),
    data: RoomUsage,
  }),
  rotate: post(`${path}/rotate`, {
    summary: 'Replace the guest token of a live room; existing links stop working',
    body: z.object({ uuid }),
    data: Room,
  }),
} as const;
