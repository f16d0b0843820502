import { isUsableName } from '@weir/streams';
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

/** Initial values in the console; the create call leaves them empty. */
export const roomDefaults = {
  aiProvider: 'openai',
  aiAsrPrompt: 'user-ai',
  aiChatMaxWindow: 5,
  aiChatMaxWords: 300,
  aiPostMaxWindow: 5,
  aiPostMaxWords: 300,
} as const;

const Setting = z.string().max(aiTaskLimits.settingCharacters);
/** Number of previous messages in the context. */
const Window = z.int().min(0).max(roomLimits.window);
/** Answer length; 0 for no limit. */
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

/** Settings of the owner. */
const settings = {
  /** Guests may talk to the assistant. */
  assistant: z.boolean(),
  aiName: z.string().max(roomLimits.nameCharacters),
  aiProvider: Setting,
  /** Returned masked; sending the mask back keeps the key. Empty means the global provider. */
  aiSecretKey: Setting,
  aiOrganization: Setting,
  aiBaseURL: Setting,
  aiAsrEnabled: z.boolean(),
  aiChatEnabled: z.boolean(),
  aiPostEnabled: z.boolean(),
  aiTtsEnabled: z.boolean(),
  aiAsrLanguage: z.string().max(16),
  /** Context for speech recognition: `user-ai` adds the assistant's last answer to what the guest said. */
  aiAsrPrompt: z.string().max(roomLimits.nameCharacters),
  /** Guests may correct recognised text before sending. Newer than the original API. */
  aiAsrEdit: z.boolean(),
  /** Newer than the original API, like the next two; empty means the provider's defaults. */
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
  /** Time limit for the first words of an answer; recognition gets half of it. Slow self-hosted models need more. */
  aiMaxWaitSeconds: z.int().min(roomLimits.waitSeconds.least).max(roomLimits.waitSeconds.most),
  /** Messages of all guests per UTC day; 0 if only the limit for all rooms applies. */
  aiMaxMessagesPerDay: z.int().min(0).max(roomLimits.messagesPerDay),
};

/** Values of a new room. */
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
/** Dubbing uses the same fields four times. */
export const assistantFields = Object.fromEntries(
  Object.entries<z.ZodType>(settings).map(([name, type]) => [name, type.default(blank[name as keyof typeof blank])]),
) as Filled;

/** Lenient: stored data may predate current rules. */
export const Room = z.object({
  uuid: z.string(),
  title: z.string(),
  /** Publish name; the path is `/live/{stream}?secret={secret}`. */
  stream: z.string(),
  secret: z.string(),
  /** Token that guests use instead of a password. */
  roomToken: z.string(),
  /** Current conversation; empty if none. */
  stage_uuid: z.string().default(''),
  created_at: z.string(),
  /** When its stream was last published or a guest last joined; empty if never. Newer than the original API. */
  used_at: z.string().default(''),
  ...assistantFields,
});
export type Room = z.infer<typeof Room>;

const uuid = z.string().max(64).default('');
const path = '/terraform/v1/live/room';

/** Clients send the whole room; omitted fields stay unchanged. */
export const RoomChange = z.object({ uuid, title, stream, secret: PublishSecret, roomToken, ...settings }).partial();
export type RoomChange = z.infer<typeof RoomChange>;

/** Messages of a room's guests today, and their limit. */
const RoomUsage = z.object({
  /** UTC, `2026-03-01`. */
  day: z.string(),
  messages: z.int(),
  /** Seconds of speech. */
  audioSeconds: z.number(),
  /** `aiMaxMessagesPerDay`. */
  mostMessages: z.int(),
  /** Guests are refused until tomorrow. */
  isReached: z.boolean(),
});
export type RoomUsage = z.infer<typeof RoomUsage>;

/** Guests who talk or listen in a room now. */
const RoomGuests = z.object({ uuid: z.string(), guests: z.int() });

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
  guests: post(`${path}/guests`, {
    summary: 'List live rooms with guests, and how many there are now',
    data: z.object({ rooms: z.array(RoomGuests) }),
  }),
  rotate: post(`${path}/rotate`, {
    summary: 'Replace the guest token of a live room; existing links stop working',
    body: z.object({ uuid }),
    data: Room,
  }),
} as const;
