import { expect, it, vi } from 'vitest';
import { freeUdpPort } from '../../../../../../tests/media/fixtures/udp-proxy.fixture.ts';
import { quietLog } from '../../../quiet-log.fixture.ts';
import { LibraryPort } from './library-port.ts';
import { openRtcPort } from './open-rtc-port.ts';
import { NotCapable } from './own/native/symbols.ts';
import { OwnPort } from './own/own-port.ts';

const listen = async () => ({ host: '127.0.0.1', port: await freeUdpPort() });

it('opens our own port where possible, and the library on request', async () => {
  const own = await openRtcPort(await listen(), { kind: 'own', log: quietLog });
  const library = await openRtcPort(await listen(), { kind: 'library', log: quietLog });
  expect([own instanceof OwnPort, library instanceof LibraryPort]).toEqual([true, true]);
  own.close();
  library.close();
});

it('falls back to the library with one message where the system lacks a feature, and rejects a port in use', async () => {
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
