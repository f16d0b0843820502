import { defaultVhost, type WirePlace } from '@weir/dialect';
import * as z from 'zod';
import { readBody } from '../../core/http/body.ts';
import type { MediaServer } from '../../media-server/media-server.ts';

const mostBytes = 64 * 1024;
const Answer = z.object({ client: z.object({ url: z.string(), publish: z.boolean(), ip: z.string().default('') }) });

interface KnownClient {
  readonly place: WirePlace;
  readonly isPublisher: boolean;
  readonly address: string;
}

/** Which stream a client has to do with; undefined when there is none or nobody can tell. */
export async function clientPlace(mediaServer: MediaServer, path: string): Promise<KnownClient | undefined> {
  try {
    const answer = await mediaServer.api('GET', path, undefined);
    const { client } = Answer.parse(JSON.parse(String(await readBody(answer, mostBytes))));
    const [, vhost, app, stream] = /^([^/]*)\/(.+)\/([^/]+)$/.exec(client.url) ?? [];
    if (app === undefined || stream === undefined) return undefined;
    const place = { vhost: vhost || defaultVhost, app, stream };
    return { place, isPublisher: client.publish, address: client.ip };
  } catch {
    return undefined;
  }
}
