import type { Boot } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { EngineLine } from './engine-line.ts';
import type { MediaServer } from './media-server.ts';
import { SrsServer } from './srs/srs-server.ts';

/** What carries the media, as the operator chose it. */
export function createMediaServer({ config, sockets }: Pick<Boot, 'config' | 'sockets'>, clock: Clock): MediaServer {
  const { srs } = config;
  if (!srs) return new EmbeddedEngine(sockets.engine);
  const { hostname, port, username, password } = new URL(srs.api);
  const auth = username === '' ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const line = new EngineLine({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), auth });
  return new SrsServer({ config, line, frontDoor: new EngineLine({ socketPath: sockets.engine }), clock });
}
