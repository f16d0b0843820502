import type { Config, Listen, Log } from '@weir/plane';
import { LibraryPort } from './library-port.ts';
import { NotCapable } from './own/native/symbols.ts';
import { OwnPort } from './own/own-port.ts';
import type { RtcPort } from './rtc-transport.ts';

interface Options {
  readonly kind: Config['rtcTransport'];
  readonly log: Log;
  readonly openOwn?: (listen: Listen, log: Log) => Promise<RtcPort>;
}

/** Opens WebRTC on a port: our own transport where the system supports it, the library elsewhere. */
export async function openRtcPort(listen: Listen, { kind, log, openOwn = OwnPort.open }: Options): Promise<RtcPort> {
  if (kind === 'library') return await LibraryPort.open(listen);
  try {
    return await openOwn(listen, log);
  } catch (error) {
    if (!(error instanceof NotCapable)) throw error;
    log.info(
      { reason: error.message },
      'using the WebRTC library: the built-in transport needs Linux and Node with OpenSSL',
    );
    return await LibraryPort.open(listen);
  }
}
