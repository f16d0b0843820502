import * as z from 'zod';
import { get, post } from '../endpoint.ts';

/** What a receiver is told. Only on_publish waits for its answer: a receiver that does not say yes keeps the publisher out. */
export const hookEvents = ['on_publish', 'on_unpublish', 'on_record_begin', 'on_record_end', 'on_ocr'] as const;
export type HookEvent = (typeof hookEvents)[number];

/** Sent when somebody asks for a test; means nothing else. */
export const hookTestEvent = 'on_test';

export const hookLimits = {
  targetCharacters: 2048,
  opaqueCharacters: 1024,
  /** From resolving the name to the last byte of the answer. Below 5 s, so that a publisher hears the reason within 5 s. */
  answerWithinMs: 4500,
  answerBytes: 16 * 1024,
  /** Events kept for a receiver that is away; of more, the oldest are given up. */
  waiting: 1000,
  /** Finished deliveries that are remembered. */
  finished: 100,
  /** Pauses between tries of one event: the first, and the longest. */
  firstRetryMs: 1000,
  longestRetryMs: 30_000,
  /** How often a receiver may answer no to an event that needs no permission, before it is given up. */
  refusals: 10,
  /** How long an event waits for a receiver that does not answer. */
  waitingMs: 24 * 3600_000,
} as const;

/** Header that proves who sends: `t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>" in hexadecimal digits>`. */
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
  /** Where events go. */
  target: HookTarget,
  /** Repeated in every body, so that the receiver knows which server speaks. */
  opaque: z.string().max(hookLimits.opaqueCharacters),
  /** Whether events are sent. */
  all: z.boolean(),
  /** This server's own address in links to recordings; empty: the one this call came to. */
  host: HookTarget,
  /** Whether the certificate of an https target must be trusted. */
  verifyTls: z.boolean(),
  /** Whether a name may lead to loopback or a private network; an address of one that is typed as such always may. */
  ownNetwork: z.boolean(),
});

export const HooksChange = HooksFields.partial();
export type HooksChange = z.infer<typeof HooksChange>;

/** `waiting` is tried again by itself; `refused`: the receiver said no; `failed`: no usable answer came. */
const hookStates = ['delivered', 'refused', 'failed', 'waiting'] as const;

/**
 * Why a try was none: the receiver said no by its status, its code or something that is no answer (`status`, `code`, `answer`);
 * events were switched off (`off`) or there were too many (`dropped`); or it could not be asked.
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

/** How a try went, for a person: the kind and what is needed to say it in any language, and the same in English. */
const HookOutcome = z.object({
  failure: HookFailure,
  /**
   * What the sentence of this kind needs: a status (`status`, `redirect`), the receiver's code (`code`), seconds (`timeout`), bytes
   * (`too-large`), or the system's own name of the fault (`no-connection`, `bad-certificate`).
   */
  fact: z.string().default(''),
  /** A short piece of the receiver's own words, if it gave any. */
  said: z.string().default(''),
  error: z.string(),
});

/** One event and how far it came. `req`, `res`, `status`, `tookMs` and how the try went belong to the same try. */
export const HookDelivery = HookOutcome.extend({
  request_id: z.string(),
  action: z.string(),
  /** app/stream, or empty where the event has none. */
  stream: z.string(),
  state: z.enum(hookStates),
  attempts: z.int(),
  /** When it happened, when it was last tried (empty: not yet), and when it will be (empty: it will not). */
  createdAt: z.string(),
  triedAt: z.string(),
  nextAt: z.string(),
  /** HTTP status, 0 when no answer came. */
  status: z.int(),
  tookMs: z.int(),
  /** Both are JSON; `res` is empty when no answer came. */
  req: z.string(),
  res: z.string(),
});
export type HookDelivery = z.infer<typeof HookDelivery>;

/** Whether sending it again makes sense: a publisher has its answer already, and a test can be sent anew. */
export function isRetriable({ action, state }: Pick<HookDelivery, 'action' | 'state'>): boolean {
  return state !== 'delivered' && action !== 'on_publish' && action !== hookTestEvent;
}

export const Hooks = HooksFields.extend({
  ...HookOutcome.shape,
  /** Key of the signature. */
  secret: z.string(),
  /** The last try, whichever event it was of. */
  req: z.string(),
  res: z.string(),
  status: z.int(),
  tookMs: z.int(),
  triedAt: z.string(),
  /** Events that wait for the receiver. */
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
