import { defaultVhost, Listener } from '@weir/contract';
import * as z from 'zod';
import type { LiveStream } from './media-server.ts';

export const HealthAnswer = z.object({ data: z.object({ startedAt: z.string(), listeners: z.array(Listener) }) });

/** Every answer of SRS's API has a code; 0 means done. */
export const CodeAnswer = z.object({ code: z.int() });

/** SRS: no client has this id. */
export const noSuchClient = 2049;

/** Beside SRS's fields the embedded engine tells the vhost's name and more of the publisher. */
export const StreamsAnswer = z.object({
  code: z.literal(0),
  server: z.string().default(''),
  streams: z.array(
    z.object({
      name: z.string(),
      app: z.string(),
      vhostName: z.string().default(defaultVhost),
      /** SRS: when the stream began, milliseconds since 1970. */
      live_ms: z.number().default(0),
      publish: z
        .object({
          active: z.boolean().default(false),
          cid: z.string().default(''),
          since: z.string().default(''),
          param: z.string().default(''),
        })
        .prefault({}),
    }),
  ),
});

export function liveStreamsOf({ server, streams }: z.output<typeof StreamsAnswer>): LiveStream[] {
  return streams
    .filter(({ publish }) => publish.active)
    .map(({ name, app, vhostName, live_ms, publish }) => ({
      vhost: vhostName,
      app,
      name,
      serverId: server,
      clientId: publish.cid,
      param: publish.param,
      publishedAt: new Date(Date.parse(publish.since) || live_ms).toISOString(),
    }));
}
