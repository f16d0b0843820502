import { maxNameLength } from '@weir/dialect';

/** Product constants that server and console share. Each stands here once, beside its unit. */
export const product = { name: 'Weir' } as const;

export const locales = ['en', 'zh'] as const;
export type Locale = (typeof locales)[number];
export const defaultLocale: Locale = 'en';

export const sessions = {
  /** How long a sign-in lasts. */
  lifeMs: 30 * 24 * 3600_000,
} as const;

export const limits = {
  /** Largest JSON body of an ordinary call. */
  bodyBytes: 1024 * 1024,
  /** Of a password that is set now; older, shorter ones go on working. */
  passwordLeast: 8,
  passwordCharacters: 1024,
  brandingCharacters: 200,
  contactLinkCharacters: 500,
  /** Clients set secrets as short as the first; shorter than the second is warned of, because it may be guessed. */
  publishSecretLeast: 8,
  publishSecretGood: 16,
  publishSecretMost: 128,
  streamNameCharacters: maxNameLength,
  /** Refused publishers that are remembered, and for how long. */
  publishAttempts: 32,
  publishAttemptsMs: 2 * 60_000,
  /** Streams whose end is remembered. */
  endedStreams: 32,
  /** How long the console's own picture may begin to play with one ticket. */
  previewMs: 6 * 3600_000,
} as const;

export const consoleTimes = {
  statusPollMs: 10_000,
  streamsPollMs: 10_000,
  hooksPollMs: 10_000,
  /** Of one stream, while somebody looks at it. */
  healthPollMs: 5000,
  /** While somebody waits for a stream to appear. */
  streamsWatchMs: 2000,
  signInDelayMs: 600,
  toastMs: 5000,
  toastFadeMs: 300,
  componentsPollMs: 10_000,
  /** While somebody waits for a process to come back. */
  restartWatchMs: 1000,
} as const;

/** Slides that move on by themselves. */
export const carousel = { intervalMs: 5000, swipePx: 40 } as const;

/** Length of the password suggested at set-up. */
export const suggestedPasswordCharacters = 16;

/** Query flag of the sign-in page: without it the form is not shown. */
export const signInFlag = 'adminSystemBadass';

/** Query parameter that carries the one-time set-up code. */
export const setupCodeParameter = 'code';
