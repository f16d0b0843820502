import * as z from 'zod';
import { post } from '../endpoint.ts';

/**
 * Kinds of installation. `tarball` and `deb` replace their own files; the others are updated from outside, by a command. `pair`: one of two
 * servers with shared settings, of which the other takes over meanwhile.
 */
const installations = ['tarball', 'deb', 'container', 'source', 'pair'] as const;
export type Installation = (typeof installations)[number];

/**
 * Steps of an update. Up to `waiting` the server works, then the part that runs as root. `undone`: the new version was not healthy, and the
 * previous one runs again.
 */
const updatePhases = [
  'downloading',
  'copying',
  'waiting',
  'installing',
  'restarting',
  'checking',
  'going-back',
  'done',
  'undone',
  'failed',
] as const;
export type UpdatePhase = (typeof updatePhases)[number];

/**
 * Reasons for an update that did not work. `no-updater`: the part that runs as root did not start. `refused`: it did not accept what the
 * server asked for. `install`: the files could not be installed. `stuck`: neither the new version nor the previous one is healthy.
 */
const updateCauses = [
  '',
  'unreachable',
  'unsigned',
  'damaged',
  'no-space',
  'copy',
  'no-updater',
  'refused',
  'install',
  'unhealthy',
  'stuck',
  'interrupted',
] as const;
export type UpdateCause = (typeof updateCauses)[number];

export const UpdateState = z.object({
  version: z.string(),
  from: z.string(),
  phase: z.enum(updatePhases),
  cause: z.enum(updateCauses).default(''),
  /** Sentence of the program that failed, in its own words; may be empty. */
  detail: z.string().default(''),
  startedAt: z.string(),
  /** Time of this step. */
  at: z.string(),
});
export type UpdateState = z.infer<typeof UpdateState>;

/** Reasons why nothing is known about newer releases. `no-key`: this build has no key to check signatures with. */
const releaseProblems = ['', 'off', 'no-key', 'no-address', 'unreachable', 'unsigned', 'unreadable'] as const;
export type ReleaseProblem = (typeof releaseProblems)[number];

const addressCharacters = 1024;

/** Address below which releases lie; empty for the one of the environment or of this release. */
export const ReleaseBase = z
  .string()
  .max(addressCharacters)
  .transform((text) => text.trim().replace(/\/+$/, ''))
  .refine(isReleaseBase, 'must be an http or https URL without a user name, query or fragment');

const Updates = z.object({
  version: z.string(),
  stable: z.string(),
  latest: z.string(),
  /** Page with what is new in the latest release; empty if it has none. */
  notes: z.string(),
  installation: z.enum(installations),
  /** Set in the console: whether to look for releases, and where. */
  looks: z.boolean(),
  base: z.string(),
  /** Address while none is set. */
  usualBase: z.string(),
  /** The environment has switched looking off. */
  isOffForGood: z.boolean(),
  /** Empty before the first look. */
  lookedAt: z.string(),
  problem: z.enum(releaseProblems),
  /** Newest release that this server would install; empty if there is none. */
  offered: z.string(),
  update: UpdateState.nullable(),
});
export type Updates = z.infer<typeof Updates>;

export const updatesApi = {
  query: post('/terraform/v1/mgmt/updates/query', {
    summary: 'Get known releases and how far an update is',
    data: Updates,
  }),
  look: post('/terraform/v1/mgmt/updates/look', {
    summary: 'Look for a newer release now',
    data: Updates,
  }),
  save: post('/terraform/v1/mgmt/updates/update', {
    summary: 'Set whether and where to look for releases; nothing about this server is sent there',
    body: z.object({ looks: z.boolean(), base: ReleaseBase.default('') }),
    data: z.null(),
  }),
  upgrade: post('/terraform/v1/mgmt/upgrade', {
    summary: 'Update to the stable release or the given one, at once; fails with 1005 while an update runs',
    body: z.object({ version: z.string().max(140).default('') }),
    data: z.object({ version: z.string() }),
  }),
  confirm: post('/terraform/v1/mgmt/updates/confirm', {
    summary: 'Confirm that the last update did not work, which ends its alert',
    data: z.null(),
  }),
} as const;

function isReleaseBase(text: string): boolean {
  if (text === '') return true;
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username === '' && password === '' && search === '' && hash === '';
}
