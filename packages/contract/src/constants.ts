import { maxNameLength } from '@weir/streams';

/** Constants shared by server and console, with units in their names. */
export const product = { name: 'Weir' } as const;

export const locales = ['en', 'zh'] as const;
export type Locale = (typeof locales)[number];
export const defaultLocale: Locale = 'en';

export const sessions = {
  lifeMs: 30 * 24 * 3600_000,
} as const;

export const limits = {
  /** Largest JSON body of an ordinary call. */
  bodyBytes: 1024 * 1024,
  /** For new passwords; older, shorter ones keep working. */
  passwordLeast: 8,
  passwordCharacters: 1024,
  brandingCharacters: 200,
  contactLinkCharacters: 500,
  /** Clients may set secrets of the first length; below the second the console warns that they can be guessed. */
  publishSecretLeast: 8,
  publishSecretGood: 16,
  publishSecretMost: 128,
  streamNameCharacters: maxNameLength,
  /** Number and lifetime of remembered publish attempts. */
  publishAttempts: 32,
  publishAttemptsMs: 2 * 60_000,
  endedStreams: 32,
  /** Validity of a preview token. */
  previewMs: 6 * 3600_000,
} as const;

export const consoleTimes = {
  statusPollMs: 10_000,
  streamsPollMs: 10_000,
  hooksPollMs: 10_000,
  /** While a stream's details are open. */
  healthPollMs: 5000,
  /** While a user waits for a stream. */
  streamsWatchMs: 2000,
  signInDelayMs: 600,
  toastMs: 5000,
  toastFadeMs: 300,
  componentsPollMs: 10_000,
  /** While a user waits for a process. */
  restartWatchMs: 1000,
} as const;

export const carousel = { intervalMs: 5000, swipePx: 40 } as const;

/** Length of the password suggested during setup. */
export const suggestedPasswordCharacters = 16;

/** Query flag of the sign-in page: without it the form is hidden. */
export const signInFlag = 'adminSystemBadass';

/** Query parameter of the one-time setup code. */
export const setupCodeParameter = 'code';
