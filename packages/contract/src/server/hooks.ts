import * as z from 'zod';
import { get, post } from '../endpoint.ts';

/**
 * Callback events. Two wait for an answer: a publisher is refused unless the receiver accepts on_publish, and so is a viewer of a stream whose
 * access is decided by callback, on on_play.
 */
export const hookEvents = [
  'on_publish',
  'on_unpublish',
  'on_play',
  'on_record_begin',
  'on_record_end',
  'on_ocr',
  'on_program_switch',
] as const;
export type HookEvent = (typeof hookEvents)[number];

/** Sent on request only, to test a receiver. */
export const hookTestEvent = 'on_test';

export const hookLimits = {
  targetCharacters: 2048,
  opaqueCharacters: 1024,
  /** From the DNS lookup to the last byte. Below 5 s, so that a publisher gets the reason within 5 s. */
  answerWithinMs: 4500,
  answerBytes: 16 * 1024,
  /** Events queued for an unreachable receiver; the oldest are dropped. */
  waiting: 1000,
  /** Finished deliveries kept. */
  finished: 100,
  /** First and longest delay between retries. */
  firstRetryMs: 1000,
  longestRetryMs: 30_000,
  /** Refusals after which an event that needs no permission is dropped. */
  refusals: 10,
  /** Lifetime of a queued event. */
  waitingMs: 24 * 3600_000,
} as const;

/** Signature header: `t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>" in hexadecimal digits>`. */
export const hookSignatureHeader = 'x-weir-signature';

const HookTarget = z
  .string()
  .trim()
  .max(hookLimits.targetCharacters)
  .refine((target) => target === '' || isWebAddress(target), 'must be a full http or https URL');

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

const HooksFields = z.object({
  target: HookTarget,
  /** Included in every body to identify this server. */
  opaque: z.string().max(hookLimits.opaqueCharacters),
  /** On or off. */
  all: z.boolean(),
  /** Public address of this server in links to recordings; empty means the address of this call. */
  host: HookTarget,
  /** Requires a trusted certificate of an HTTPS target. */
  verifyTls: z.boolean(),
  /** Allows names that resolve to loopback or private networks; such addresses typed as IP are always allowed. */
  ownNetwork: z.boolean(),
});

export const HooksChange = HooksFields.partial();
export type HooksChange = z.infer<typeof HooksChange>;

/** `waiting` is retried; `refused`: the receiver refused; `failed`: no usable answer. */
const hookStates = ['delivered', 'refused', 'failed', 'waiting'] as const;

/**
 * Reasons of a failed attempt: refused by status, code or body (`status`, `code`, `answer`); events switched off (`off`) or too many
 * (`dropped`); or not delivered.
 */
const hookFailures = [
  'status',
  'code',
  'answer',
  'off',
  'dropped',
  'bad-url',
  'forbidden-address',
  'own-network',
  'unknown-name',
  'no-connection',
  'bad-certificate',
  'timeout',
  'redirect',
  'too-large',
  '',
] as const;
const HookFailure = z.enum(hookFailures).default('');
export type HookFailure = z.output<typeof HookFailure>;

/** Result of an attempt: kind and facts for a translation, and an English message. */
const HookOutcome = z.object({
  failure: HookFailure,
  /**
   * Figure in the message: status (`status`, `redirect`), receiver's code (`code`), seconds (`timeout`), bytes (`too-large`), or system
   * error name (`no-connection`, `bad-certificate`).
   */
  fact: z.string().default(''),
  /** Excerpt of the receiver's response, if any. */
  said: z.string().default(''),
  error: z.string(),
});

/** Event and its delivery. `req`, `res`, `status`, `tookMs` and the outcome belong to the same attempt. */
export const HookDelivery = HookOutcome.extend({
  request_id: z.string(),
  action: z.string(),
  /** app/stream; empty if the event has none. */
  stream: z.string(),
  state: z.enum(hookStates),
  attempts: z.int(),
  /** Time of the event, of the last attempt (empty: none yet) and of the next (empty: none). */
  createdAt: z.string(),
  triedAt: z.string(),
  nextAt: z.string(),
  /** HTTP status; 0 without a response. */
  status: z.int(),
  tookMs: z.int(),
  /** JSON; `res` is empty without a response. */
  req: z.string(),
  res: z.string(),
});
export type HookDelivery = z.infer<typeof HookDelivery>;

/** False for answered publish events and for tests, which can be sent anew. */
export function isRetriable({ action, state }: Pick<HookDelivery, 'action' | 'state'>): boolean {
  return state !== 'delivered' && action !== 'on_publish' && action !== hookTestEvent;
}

export const Hooks = HooksFields.extend({
  ...HookOutcome.shape,
  /** Key of the signature. */
  secret: z.string(),
  /** Last attempt of any event. */
  req: z.string(),
  res: z.string(),
  status: z.int(),
  tookMs: z.int(),
  triedAt: z.string(),
  /** Events waiting for the receiver. */
  waiting: z.int(),
});
export type Hooks = z.infer<typeof Hooks>;

export const hooksApi = {
  query: post('/terraform/v1/mgmt/hooks/query', {
    summary: 'Get callback settings and the last request and response',
    data: Hooks,
  }),
  apply: post('/terraform/v1/mgmt/hooks/apply', {
    summary: 'Change callback settings; omitted fields stay unchanged',
    body: HooksChange,
    data: z.null(),
  }),
  rotate: post('/terraform/v1/mgmt/hooks/rotate', {
    summary: 'Generate a new signing key for callbacks',
    data: z.object({ secret: z.string() }),
  }),
  deliveries: post('/terraform/v1/mgmt/hooks/deliveries', {
    summary: 'List pending and recent callbacks, newest first',
    data: z.object({ deliveries: z.array(HookDelivery) }),
  }),
  retry: post('/terraform/v1/mgmt/hooks/retry', {
    summary: 'Send a failed or pending callback now',
    body: z.object({ request_id: z.string().min(1).max(64) }),
    data: z.null(),
  }),
  test: post('/terraform/v1/mgmt/hooks/test', {
    summary: 'Send a test event to the saved callback URL and return the response',
    data: HookDelivery,
  }),
  example: get('/terraform/v1/mgmt/hooks/example', {
    summary: 'Example callback receiver: accepts every event, or fails with ?fail=true',
    access: 'public',
    data: z.null(),
  }),
} as const;
