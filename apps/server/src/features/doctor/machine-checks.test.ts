import { expect, it } from 'vitest';
import { openDoctor } from './doctor.fixture.ts';

it('compares its clock and time zone with the browser', async () => {
  const { run } = openDoctor({ only: ['clock', 'zone'] });
  const findings = await run({ browserMs: Date.now() + 60_000, browserZone: 'Pacific/Chatham' });
  expect(findings.get('clock')).toMatchObject({ verdict: 'warn', reason: 'clock.differs' });
  expect(Number(findings.get('clock')?.facts.seconds)).toBeGreaterThanOrEqual(59);
  expect(findings.get('zone')).toMatchObject({ reason: 'zone.differs', facts: { browserZone: 'Pacific/Chatham' } });
});
