import { expect, it, vi } from 'vitest';
import { freeUdpPort } from '../../../../../../tests/media/fixtures/udp-proxy.fixture.ts';
import { quietLog } from '../../../quiet-log.fixture.ts';
import { LibraryPort } from './library/library-port.ts';
import { openRtcPort } from './open-rtc-port.ts';
import { NotCapable } from './own/native/symbols.ts';
import { OwnPort } from './own/own-port.ts';

const listen = async () => ({ host: '127.0.0.1', port: await freeUdpPort() });

it('is our own where it can be, and the library where that is asked for', async () => {
  const own = await openRtcPort(await listen(), { kind: 'own', log: quietLog });
  const library = await openRtcPort(await listen(), { kind: 'library', log: quietLog });
  expect([own instanceof OwnPort, library instanceof LibraryPort]).toEqual([true, true]);
  own.close();
  library.close();
});

it('is the library where the system lacks something, which is told once, and nothing where the port is taken', async () => {
  const log = quietLog.child({}, { level: 'fatal' });
  const told = vi.spyOn(log, 'info');
  const place = await listen();
  const openOwn = () => Promise.reject(new NotCapable('DTLS_method is missing'));
  const port = await openRtcPort(place, { kind: 'own', log, openOwn });
  expect(port).toBeInstanceOf(LibraryPort);
  expect(told).toHaveBeenCalledOnce();
  await expect(openRtcPort(place, { kind: 'own', log })).rejects.toThrow('cannot be used');
  port.close();
});
