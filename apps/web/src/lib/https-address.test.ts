import { expect, it } from 'vitest';
import { httpsAddress } from './https-address.ts';

it.each([
  [
    'http://weir.test:2022/players/whip.html?stream=a&secret=s',
    '2443',
    'https://weir.test:2443/players/whip.html?stream=a&secret=s',
  ],
  [
    'http://weir.test:2022/x?port=2022&api=2022&stream=a',
    '2443',
    'https://weir.test:2443/x?port=2443&api=2443&stream=a',
  ],
  ['http://weir.test:2022/x?api=1985', '2443', 'https://weir.test:2443/x?api=1985'],
  ['http://weir.test/x?port=80&api=80#y', '2443', 'https://weir.test/x?port=443&api=443#y'],
  ['http://weir.test:8080/x', '443', 'https://weir.test/x'],
  ['http://weir.test:8080/x', '', 'https://weir.test/x'],
])('maps %s with HTTPS port %j to %s', (page, port, address) => {
  expect(httpsAddress(new URL(page), port).href).toBe(address);
});
