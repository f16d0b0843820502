import type { Boot, Log, RunningPlane } from '@weir/plane';
import { PrivateApi } from './api/private-api.ts';
import { FrontDoor } from './front-door/front-door.ts';

export type EngineBoot = Pick<Boot, 'config' | 'sockets'>;

/** Composition root of the media plane. */
export async function startEngine({ config, sockets }: EngineBoot, log: Log): Promise<RunningPlane> {
  const frontDoor = new FrontDoor({ config, controlSocket: sockets.server, log: log.child({ part: 'front-door' }) });
  const api = new PrivateApi({
    socketPath: sockets.engine,
    version: config.version,
    listeners: () => frontDoor.listeners(),
  });
  // The private socket first: it tells whether another Weir has this data directory, before any port is taken.
  await api.open();
  try {
    await frontDoor.open();
  } catch (error) {
    await api.close();
    throw error;
  }
  return {
    facts: { httpPort: frontDoor.httpPort, httpsPort: frontDoor.httpsPort },
    async close() {
      await frontDoor.close();
      await api.close();
    },
  };
}
