import type { Boot, Log, RunningPlane, SrsConfig } from '@weir/plane';
import { HookGate } from './api/hook-gate.ts';
import { createIdentity } from './api/identity.ts';
import { PrivateApi } from './api/private-api.ts';
import { FrontDoor } from './front-door/front-door.ts';
import { MediaRelay } from './front-door/relay/media-relay.ts';
import { RelayOrigin } from './front-door/relay/relay-origin.ts';
import { RtcRelay } from './front-door/relay/rtc-relay.ts';

/** Client that asks to publish by WebRTC; SRS assigns its id. */
const offer = { id: 'offer', kind: 'rtc-publish', tcUrl: '', pageUrl: '', connectedAt: new Date(0) } as const;

/** This plane where a separate SRS carries the media: the front door alone, which passes requests for media on to it. */
export async function startSrsGate(
  { config, sockets, hookToken }: Boot,
  log: Log,
  srs: SrsConfig,
): Promise<RunningPlane> {
  const origins = srs.origins.map(({ api, http }) => new RelayOrigin(api, http));
  const identity = createIdentity();
  const gate = new HookGate({
    socketPath: sockets.server,
    token: hookToken,
    identity,
    log,
    spool: { keep: async ({ file }) => file },
  });
  const frontDoor = new FrontDoor({
    config,
    controlSocket: sockets.server,
    log: log.child({ part: 'front-door' }),
    media: new MediaRelay({ origins, log: log.child({ part: 'relay' }) }).serve,
    rtc: new RtcRelay({
      origins,
      trustedProxies: config.trustedProxies,
      mediaHost: config.mediaHost,
      port: { listens: config.rtc.port, published: Number(config.published.rtc) },
      mayPublish: (asked) => gate.mayPublish({ ...asked, ...offer }),
    }).serve,
  });
  const own = new PrivateApi({
    socketPath: sockets.engine,
    version: config.version,
    identity,
    health: () => ({ listeners: frontDoor.listeners(), srtVersion: '', workerExits: [] }),
  });
  const close = async () => {
    await Promise.all([frontDoor.close(), own.close(), gate.close()]);
    for (const origin of origins) origin.close();
  };
  try {
    // First, as in the engine: it tells whether another Weir has this data directory.
    await own.open();
    await frontDoor.open();
  } catch (error) {
    await close();
    throw error;
  }
  const { httpPort, httpsPort, extraHttpPort } = frontDoor;
  return {
    facts: {
      httpPort,
      httpsPort,
      extraHttpPort,
      rtmpPort: config.rtmp.port,
      rtcPort: config.rtc.port,
      srtPort: config.srt.port,
    },
    close,
  };
}
