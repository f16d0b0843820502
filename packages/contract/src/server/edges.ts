import * as z from 'zod';
import { post } from '../endpoint.ts';

const mostEdges = 64;
/** How often each edge is asked how it is. */
export const edgeCheckMs = 30_000;

/** Where viewers reach an edge: what stands before `/live/NAME.m3u8`. */
export const EdgeUrl = z
  .string()
  .max(1024)
  .transform((text) => text.trim().replace(/\/+$/, ''))
  .refine(isEdgeUrl, 'must be an http or https URL without a user name, query or fragment');

/**
 * Why an edge is not in use. `token`: it reaches this server with another token. `no-edge`: something answers there that sends none.
 * `origin`: the edge is there and does not reach this server. The others are of the way to the edge.
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
  /** Of the last check; empty before the first. */
  checkedAt: z.string(),
  /** From the question to the answer, which comes from this server through the edge. */
  latencyMs: z.number(),
});
export type Edge = z.infer<typeof Edge>;

const Edges = z.object({
  edges: z.array(Edge),
  /** What an edge sends in `X-Weir-Edge`. Empty until there is an edge. */
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
