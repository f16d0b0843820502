import type { Boot } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { EngineClient } from './engine-client.ts';
import type { MediaServer } from './media-server.ts';
import { SrsOrigin } from './srs/srs-origin.ts';
import { SrsServer } from './srs/srs-server.ts';

/** Creates the media server chosen by the operator. */
export function createMediaServer({ config, sockets }: Pick<Boot, 'config' | 'sockets'>, clock: Clock): MediaServer {
  const { srs } = config;
  if (!srs) return new EmbeddedEngine(sockets.engine);
  const origins = srs.origins.map(({ api }) => new SrsOrigin(lineTo(api), clock));
  return new SrsServer({ config, origins, frontDoor: new EngineClient({ socketPath: sockets.engine }) });
}

function lineTo(api: string): EngineClient {
  const { hostname, port, username, password } = new URL(api);
  const auth = username === '' ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return new EngineClient({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), auth });
}
