import * as z from 'zod';
import { post } from '../endpoint.ts';

const upgradeWindowLeastHours = 3;

/** Hours of the server's local time in which upgrades may happen; may span midnight. */
export const UpgradeWindow = z.object({
  start: z.int().min(0).max(23),
  duration: z.int().min(upgradeWindowLeastHours).max(24),
});
export type UpgradeWindow = z.infer<typeof UpgradeWindow>;
export const defaultUpgradeWindow: UpgradeWindow = { start: 23, duration: 6 };

export const upgradeStrategies = ['auto', 'manual'] as const;
export type UpgradeStrategy = (typeof upgradeStrategies)[number];
const Strategy = z.enum(upgradeStrategies);

const addressCharacters = 1024;

/** Default target of `/`. */
export const defaultHomepage = '/mgmt/';

/** Target of `/`: a path of this server or an HTTP(S) URL. */
export const Homepage = z
  .string()
  .min(1)
  .max(addressCharacters)
  .refine(isHomepage, 'must be a path such as /players/whep.html, or an http or https URL');

/** Another media server: `host`, `host:port`, an HTTP(S) URL, or the URL of an .flv or .m3u8. */
export const Backend = z
  .string()
  .min(1)
  .max(addressCharacters)
  .refine(isBackend, 'must be a host, or an http or https URL without a user name');
const mostBackends = 16;

/** Seconds of publishing and playing together; -1 for no limit. */
const MonthlyLimit = z
  .int()
  .min(-1)
  .max(100_000 * 3600)
  .refine((seconds) => seconds !== 0, 'must be -1 for no limit, or a number of seconds');
export const noMonthlyLimit = -1;
export const monthlyHourChoices = [1, 3, 15, 30, 90] as const;

export const MonthlyUse = z.object({
  totalDuration: MonthlyLimit,
  startDate: z.string(),
  lastUpdateDate: z.string(),
  consumedDuration: z.number(),
});
export type MonthlyUse = z.infer<typeof MonthlyUse>;

/** Redirects (302) to one of the backends; `:app` and `:stream` follow. */
export const loadBalancerPath = '/terraform/v1/mgmt/dns/lb';

export const platformApi = {
  queryWindow: post('/terraform/v1/mgmt/window/query', {
    summary: 'Get the upgrade window, in hours of the server clock',
    data: UpgradeWindow.extend({ strategy: Strategy, isOpen: z.boolean() }),
  }),
  updateWindow: post('/terraform/v1/mgmt/window/update', {
    summary: `Set the upgrade window, at least ${upgradeWindowLeastHours} hours`,
    body: UpgradeWindow,
    data: z.null(),
  }),
  strategy: post('/terraform/v1/mgmt/strategy', {
    summary: 'Set the upgrade strategy; without one, switch to the other strategy',
    body: z.object({ strategy: Strategy.optional() }),
    data: z.object({ strategy: Strategy }),
  }),
  queryHomepage: post('/terraform/v1/mgmt/nginx/homepage/query', {
    summary: 'Get the page of the root path',
    data: z.object({ homepage: z.string() }),
  }),
  updateHomepage: post('/terraform/v1/mgmt/nginx/homepage', {
    summary: `Set the page of the root path; ${defaultHomepage} is the console`,
    body: z.object({ homepage: Homepage }),
    data: z.null(),
  }),
  queryBackends: post('/terraform/v1/mgmt/dns/backend/query', {
    summary: 'Get the servers of the load balancer',
    data: z.object({ backends: z.array(z.string()) }),
  }),
  updateBackends: post('/terraform/v1/mgmt/dns/backend/update', {
    summary: `Set the servers behind ${loadBalancerPath}/{app}/{stream}`,
    body: z.object({ backends: z.array(Backend).max(mostBackends) }),
    data: z.null(),
  }),
  removeBackends: post('/terraform/v1/mgmt/dns/backend/remove', {
    summary: 'Turn off the load balancer',
    data: z.null(),
  }),
  queryLimit: post('/terraform/v1/mgmt/limit/query', {
    summary: 'Get publishing and playback time this month, in seconds, and its limit',
    data: MonthlyUse,
  }),
  updateLimit: post('/terraform/v1/mgmt/limit/update', {
    summary: 'Set the monthly limit; new publishers are rejected once it is used up',
    body: z.object({ totalDuration: MonthlyLimit }),
    data: z.null(),
  }),
} as const;

function isHomepage(text: string): boolean {
  if (!text.startsWith('/')) return isWebAddress(text);
  // Browsers treat `//host` and `/\host` as other sites; the root itself would redirect in a loop.
  const url = URL.canParse(text, 'http://here') ? new URL(text, 'http://here') : undefined;
  return url?.host === 'here' && !['/', '/index.html'].includes(url.pathname);
}

function isBackend(text: string): boolean {
  return isWebAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
