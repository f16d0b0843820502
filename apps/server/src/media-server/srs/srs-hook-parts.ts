import type { ClientHook } from '@weir/engine-api';
import type { Config, SrsConfig } from '@weir/plane';
import type { SegmentSpool } from '../../segments/segment-spool.ts';
import { SrsSegments } from '../../segments/srs-segments.ts';
import type { MediaServer } from '../media-server.ts';

interface Context {
  readonly config: Pick<Config, 'dataDir'>;
  readonly spool: SegmentSpool;
  readonly mediaServer: Pick<MediaServer, 'streams'>;
}

/** Additional parts for hooks of a separate SRS. */
export async function srsHookParts({ config, spool, mediaServer }: Context, { origins }: SrsConfig) {
  await spool.clear();
  const segments = new SrsSegments({ dataDir: config.dataDir, servers: origins.map(({ http }) => http), spool });
  return {
    keep: segments.keep.bind(segments),
    /** An unknown answer does not refuse the client: SRS checks again itself. */
    isInUse: ({ vhost, app, stream, client_id }: ClientHook) =>
      mediaServer.streams().then(
        (live) =>
          live.some(
            (one) => one.vhost === vhost && one.app === app && one.name === stream && one.clientId !== client_id,
          ),
        () => false,
      ),
  };
}
