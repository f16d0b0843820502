import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Boot, Log, RunningPlane } from '@weir/plane';
import { HookGate } from './api/hook-gate.ts';
import { createIdentity } from './api/identity.ts';
import { PrivateApi } from './api/private-api.ts';
import { SrsApi } from './api/srs-api.ts';
import { notPublished } from './front-door/failures.ts';
import { FrontDoor } from './front-door/front-door.ts';
import type { ListenerState } from './front-door/listener.ts';
import type { Reply } from './front-door/reply.ts';
import { Hub } from './hub/hub.ts';
import { FlvServer } from './servers/http-flv/flv-server.ts';
import { RtmpServer } from './servers/rtmp/rtmp-server.ts';

/** Viewers and numbering wait this long for a publisher to return. */
const returnMs = 15_000;

/** Composition root of the media plane. */
export async function startEngine({ config, sockets, hookToken }: Boot, log: Log): Promise<RunningPlane> {
  const identity = createIdentity();
  const gate = new HookGate({ socketPath: sockets.server, token: hookToken, identity, log });
  const hub = new Hub({ returnMs });
  const flv = new FlvServer({ hub, gate });
  const rtmp = new RtmpServer({ hub, gate, log: log.child({ protocol: 'rtmp' }) });
  const media = (req: IncomingMessage, res: ServerResponse, reply: Reply) => {
    const path = req.url?.split('?', 1)[0] ?? '';
    if (path.endsWith('.flv')) flv.serve(req, res, reply);
    else reply.fail(res, notPublished);
  };
  const frontDoor = new FrontDoor({
    config,
    controlSocket: sockets.server,
    log: log.child({ part: 'front-door' }),
    media,
  });
  const srs = new SrsApi({ hub, version: config.version, sessions: () => [], hlsFragmentSeconds: () => 10 });
  const api = new PrivateApi({
    socketPath: sockets.engine,
    version: config.version,
    identity,
    listeners: () => [...frontDoor.listeners(), rtmpListener(rtmp)],
    srs: (request) => srs.answer(request),
  });

  const close = async () => {
    hub.close();
    await Promise.all([rtmp.close(), frontDoor.close(), api.close(), gate.close()]);
  };
  try {
    // The private socket first: it tells whether another Weir has this data directory, before any port is taken.
    await api.open();
    await frontDoor.open();
    await rtmp.open(config.rtmp);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    facts: { httpPort: frontDoor.httpPort, httpsPort: frontDoor.httpsPort, rtmpPort: rtmp.port },
    close,
  };
}

function rtmpListener({ port }: RtmpServer): ListenerState {
  return { protocol: 'rtmp', port, ready: port > 0, note: '' };
}
