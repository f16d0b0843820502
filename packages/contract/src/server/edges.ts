import * as z from 'zod';
import { post } from '../endpoint.ts';

const mostEdges = 64;
/** Interval between checks of an edge. */
export const edgeCheckMs = 30_000;

/** Public URL of an edge: the part before `/live/NAME.m3u8`. */
export const EdgeUrl = z
  .string()
  .max(1024)
  .transform((text) => text.trim().replace(/\/+$/, ''))
  .refine(isEdgeUrl, 'must be an http or https URL without a user name, query or fragment');

/**
 * Reasons why an edge is not used. `token`: it sends another token. `no-edge`: the responding server sends none. `origin`: the edge cannot
 * reach this server. Others concern the way to the edge.
 */
const EdgeFailure = z.enum([
  '',
  'token',
  'no-edge',
  'origin',
  'unknown-name',
  'no-connection',
  'bad-certificate',
  'timeout',
  'redirect',
  'forbidden',
]);
export type EdgeFailure = z.infer<typeof EdgeFailure>;

export const Edge = z.object({
  url: z.string(),
  state: z.enum(['unchecked', 'ok', 'failing']),
  failure: EdgeFailure,
  /** Last check; empty before the first. */
  checkedAt: z.string(),
  /** Round trip to this server through the edge. */
  latencyMs: z.number(),
});
export type Edge = z.infer<typeof Edge>;

const Edges = z.object({
  edges: z.array(Edge),
  /** Value of `X-Weir-Edge`. Empty until an edge is set up. */
  token: z.string(),
});

export const edgesApi = {
  query: post('/terraform/v1/mgmt/edges/query', { summary: 'Get the edges and their state', data: Edges }),
  update: post('/terraform/v1/mgmt/edges/update', {
    summary: 'Set the URLs of the edges that deliver HLS',
    body: z.object({ edges: z.array(EdgeUrl).max(mostEdges) }),
    data: z.null(),
  }),
  renewToken: post('/terraform/v1/mgmt/edges/token', {
    summary: 'Generate a new token for edges; the old one stops working at once',
    data: z.object({ token: z.string() }),
  }),
} as const;

function isEdgeUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s\\?#]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
