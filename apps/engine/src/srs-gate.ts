import type { Boot, Log, RunningPlane, SrsConfig } from '@weir/plane';
import { createIdentity } from './api/identity.ts';
import { PrivateApi } from './api/private-api.ts';
import { FrontDoor } from './front-door/front-door.ts';
import { LiveStreams } from './front-door/relay/live-streams.ts';
import { MediaRelay } from './front-door/relay/media-relay.ts';
import { RtcRelay } from './front-door/relay/rtc-relay.ts';
import { Upstream } from './front-door/relay/upstream.ts';

/** This plane where a separate SRS carries the media: the front door alone, which passes requests for media on to it. */
export async function startSrsGate({ config, sockets }: Boot, log: Log, srs: SrsConfig): Promise<RunningPlane> {
  const media = new Upstream(srs.http);
  const api = new Upstream(srs.api);
  const frontDoor = new FrontDoor({
    config,
    controlSocket: sockets.server,
    log: log.child({ part: 'front-door' }),
    media: new MediaRelay({ upstream: media, live: new LiveStreams(api), log: log.child({ part: 'relay' }) }).serve,
    rtc: new RtcRelay(api, config.trustedProxies).serve,
  });
  const own = new PrivateApi({
    socketPath: sockets.engine,
    version: config.version,
    identity: createIdentity(),
    listeners: () => frontDoor.listeners(),
  });
  const close = async () => {
    await Promise.all([frontDoor.close(), own.close()]);
    media.close();
    api.close();
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
      ...{ httpPort, httpsPort, extraHttpPort },
      ...{ rtmpPort: config.rtmp.port, rtcPort: config.rtc.port, srtPort: config.srt.port },
    },
    close,
  };
}
