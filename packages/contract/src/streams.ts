import * as z from 'zod';
import { limits } from './constants.ts';
import { post } from './endpoint.ts';

/** The vhost of every stream that names none. */
export const defaultVhost = '__defaultVhost__';

/** A stream that somebody publishes now. */
export const ActiveStream = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Query of the publisher's address, with everything secret in it hidden. */
  param: z.string().optional(),
  server_id: z.string(),
  client_id: z.string(),
  /** When its publisher was accepted. */
  update: z.string(),
});
export type ActiveStream = z.infer<typeof ActiveStream>;

const Name = z.string().min(1).max(limits.streamNameCharacters);

export const streamsApi = {
  query: post('/terraform/v1/mgmt/streams/query', {
    summary: 'Streams that are live now, newest first',
    data: z.object({ streams: z.array(ActiveStream) }),
  }),
  kickoff: post('/terraform/v1/mgmt/streams/kickoff', {
    summary: 'Disconnect the publisher of a stream; it may come back',
    body: z.object({
      vhost: Name,
      app: Name,
      stream: Name,
      /** The publisher that is meant. With it, somebody who took over since is left alone. */
      client_id: z.string().max(limits.streamNameCharacters).default(''),
    }),
    data: z.null(),
  }),
} as const;
