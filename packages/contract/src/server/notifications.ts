import { Glob } from '@weir/streams';
import * as z from 'zod';
import { post } from '../endpoint.ts';
import { alertKinds } from './alerts.ts';

export const notificationLimits = {
  channels: 50,
  nameCharacters: 60,
  fieldCharacters: 2048,
  patterns: 50,
  /** For the answer of a service, from the name lookup to the last byte. */
  answerWithinMs: 10_000,
  answerBytes: 16 * 1024,
  /** Excerpt of an answer that is shown. */
  answerCharacters: 500,
} as const;

interface FieldDefinition {
  readonly name: string;
  /** Returned masked; sending the mask back keeps the stored value. */
  readonly isSecret?: true;
  readonly isOptional?: true;
  readonly initial?: string;
  /** Values to choose from. */
  readonly choices?: readonly string[];
  /** Filled in by the browser of the device. */
  readonly isOfDevice?: true;
}

const webhookUrl = { name: 'url', isSecret: true } as const;

/** Services that carry notifications, and what each needs to know. Webhook URLs of chat services contain the credential, so they are secrets. */
const notificationFields = {
  email: [
    { name: 'host' },
    { name: 'security', choices: ['starttls', 'tls', 'none'], initial: 'starttls' },
    { name: 'port', initial: '587' },
    { name: 'user', isOptional: true },
    { name: 'password', isSecret: true, isOptional: true },
    { name: 'sender' },
    { name: 'recipients' },
  ],
  webhook: [{ name: 'url' }, { name: 'signingKey', isSecret: true, isOptional: true }],
  push: [
    { name: 'endpoint', isSecret: true, isOfDevice: true },
    { name: 'p256dh', isSecret: true, isOfDevice: true },
    { name: 'auth', isSecret: true, isOfDevice: true },
  ],
  telegram: [
    { name: 'token', isSecret: true },
    { name: 'chat' },
    { name: 'server', isOptional: true, initial: 'https://api.telegram.org' },
  ],
  discord: [webhookUrl],
  slack: [webhookUrl],
  teams: [webhookUrl],
  ntfy: [
    { name: 'server', initial: 'https://ntfy.sh' },
    { name: 'topic', isSecret: true },
    { name: 'token', isSecret: true, isOptional: true },
  ],
  gotify: [{ name: 'server' }, { name: 'token', isSecret: true }],
  bark: [
    { name: 'server', initial: 'https://api.day.app' },
    { name: 'key', isSecret: true },
  ],
  wecom: [webhookUrl],
  dingtalk: [webhookUrl, { name: 'signingKey', isSecret: true, isOptional: true }],
  feishu: [webhookUrl, { name: 'signingKey', isSecret: true, isOptional: true }],
} as const satisfies Record<string, readonly FieldDefinition[]>;

export type NotificationService = keyof typeof notificationFields;
export const notificationServices = Object.keys(notificationFields) as NotificationService[];

export function fieldsOfService(service: NotificationService): readonly FieldDefinition[] {
  return notificationFields[service];
}

/** Every alert, and problems of the server that are no alert. */
export const notificationTopics = [...alertKinds, 'server'] as const;
export type NotificationTopic = (typeof notificationTopics)[number];

const Pattern = z
  .string()
  .trim()
  .min(1)
  .max(512)
  .transform((text) => text.replace(/^\/+/, ''))
  .refine((text) => typeof Glob.parse(text) !== 'string', 'is not a valid pattern');

const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00');

const Zone = z
  .string()
  .max(64)
  .refine((zone) => zone === '' || isTimeZone(zone), 'is not a time zone');

/** What a channel is told, and when. */
const NotificationRules = z.object({
  /** Empty: all. */
  topics: z.array(z.enum(notificationTopics)).max(notificationTopics.length).default([]),
  /** `bad`: only what fails; `all`: also what may fail soon. */
  severity: z.enum(['all', 'bad']).default('all'),
  /** `app/name` or a pattern over it; empty: every stream. Problems of the server itself always pass. */
  streams: z.array(Pattern).max(notificationLimits.patterns).default([]),
  /** Says when a reported problem is over. */
  resolved: z.boolean().default(true),
  /** Nothing is sent from the first time to the second; what lasts is sent afterwards. */
  quiet: z
    .object({ on: z.boolean().default(false), from: Time.default('22:00'), to: Time.default('07:00') })
    .default({ on: false, from: '22:00', to: '07:00' }),
  /** Problems of severity `bad` are sent in quiet hours too. */
  quietExceptBad: z.boolean().default(true),
  /** `none`: at once; `hour` and `day`: one summary at the full hour or at 09:00. */
  digest: z.enum(['none', 'hour', 'day']).default('none'),
  /** Time zone of quiet hours, summaries and times in messages; empty: the server's. */
  zone: Zone.default(''),
});
export type NotificationRules = z.output<typeof NotificationRules>;

const channelFields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(notificationLimits.nameCharacters)
    .refine((name) => !/\p{Cc}/u.test(name), 'may contain no control characters'),
  service: z.enum(notificationServices),
  enabled: z.boolean().default(true),
  language: z.enum(['en', 'zh']).default('en'),
  fields: z.record(z.string().max(40), z.string().trim().max(notificationLimits.fieldCharacters)),
  rules: NotificationRules.default(NotificationRules.parse({})),
} as const;

/** Stored form of a channel. */
export const NotificationChannel = z.object({ id: z.string(), ...channelFields });
export type NotificationChannel = z.output<typeof NotificationChannel>;

const ChannelChange = z.object({
  /** Absent for a new channel. */
  id: z.string().max(64).optional(),
  ...channelFields,
});
export type NotificationChannelChange = z.output<typeof ChannelChange>;

/** What became of one attempt. */
const NotificationAttempt = z.object({
  at: z.string(),
  ok: z.boolean(),
  /** HTTP or SMTP status; 0 without an answer. */
  status: z.int(),
  /** Excerpt of the service's own words. */
  answer: z.string(),
  /** Kind of failure without an answer, in the terms of callbacks; empty otherwise. */
  failure: z.string(),
  /** Figure in the sentence about it, as of callbacks. */
  fact: z.string(),
  /** English sentence; empty when it worked. */
  error: z.string(),
  tookMs: z.int(),
});
export type NotificationAttempt = z.infer<typeof NotificationAttempt>;

const ChannelRow = NotificationChannel.extend({
  /** Last attempt since the server started; null if there was none. */
  last: NotificationAttempt.nullable(),
  /** Problems that it reported and that last. */
  open: z.int(),
});
export type NotificationChannelRow = z.infer<typeof ChannelRow>;

export const notificationsApi = {
  query: post('/terraform/v1/mgmt/notifications/query', {
    summary: 'List notification channels with masked secrets and the last attempt of each',
    data: z.object({
      channels: z.array(ChannelRow),
      /** By which push services know this server; devices need it to subscribe. */
      pushKey: z.string(),
    }),
  }),
  save: post('/terraform/v1/mgmt/notifications/save', {
    summary: 'Add a notification channel, or change the one with this id; masked secrets stay as they are',
    body: ChannelChange,
    data: z.object({ id: z.string() }),
  }),
  remove: post('/terraform/v1/mgmt/notifications/remove', {
    summary: 'Remove a notification channel',
    body: z.object({ id: z.string().max(64) }),
    data: z.null(),
  }),
  test: post('/terraform/v1/mgmt/notifications/test', {
    summary: 'Send a test message with these settings, saved or not, and return the answer of the service',
    body: ChannelChange,
    data: NotificationAttempt,
  }),
} as const;

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
