import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { makePair } from '../certs/pem-pair.fixture.ts';
import { isEndNear } from './health.ts';

const dayMs = 24 * 3600_000;

it.each([
  ['a year', 365, 15, false],
  ['a year', 365, 14, true],
  ['a year', 365, -1, true],
  ['six days', 6, 2, false],
  ['six days', 6, 1.5, true],
])('a certificate for %s with %f days left is near its end at %f: %s', (_life, days, left, isNear) => {
  expect(isEndNear(0, days * dayMs, (days - left) * dayMs)).toBe(isNear);
});

it('the status warns of a certificate that expires soon', async () => {
  const { call, dataDir } = await createReadyApp();
  const use = (days: number) => {
    mkdirSync(join(dataDir, 'config'), { recursive: true });
    writeFileSync(join(dataDir, 'config/nginx.crt'), makePair({ days }).crt);
  };
  use(90);
  expect((await call('mgmt/status')).data).toMatchObject({ alerts: [], health: { certificate: { isEnding: false } } });
  use(0);
  expect((await call('mgmt/status')).data.alerts).toMatchObject([
    {
      kind: 'certificate',
      since: expect.stringMatching(/^\d{4}-/),
      count: 0,
      place: { page: 'settings', tab: 'https' },
    },
  ]);
});
