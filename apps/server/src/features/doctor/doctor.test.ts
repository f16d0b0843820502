import { readdirSync } from 'node:fs';
import { doctorChecks } from '@weir/contract';
import { expect, it } from 'vitest';
import { until } from '../../../../../tests/weir.fixture.ts';
import { nobody, openDoctor } from './doctor.fixture.ts';

it('reports each check once, in a fixed order, with the command that repairs it', async () => {
  const { doctor, run, dataDir } = openDoctor();
  const findings = await run();
  expect(doctor.report.findings.map(({ check }) => check)).toEqual([...doctorChecks]);
  expect(findings.get('listening')).toMatchObject({ verdict: 'bad', reason: 'listening.stopped' });
  expect(findings.get('encoder')).toMatchObject({ verdict: 'bad', reason: 'encoder.none' });
  expect(findings.get('encoder')?.command).toBe('sudo apt-get install ffmpeg');
  expect(findings.get('ffmpeg')).toMatchObject({ verdict: 'ok', facts: { version: '7.1' } });
  expect(findings.get('certificate')?.reason).toBe('certificate.none');
  expect(findings.get('speed')?.reason).toMatch(/^speed\.(ok|slow)$/);
  expect(readdirSync(dataDir)).toEqual(['config']);
});

it('lets a second caller join the checks that are running', async () => {
  const first = Promise.withResolvers<undefined>();
  let tests = 0;
  const chosen = () => {
    tests += 1;
    return first.promise;
  };
  const { doctor } = openDoctor({ only: ['encoder', 'zone'], encoders: { chosen } });
  doctor.start(nobody);
  doctor.start(nobody);
  await until(() => tests === 1, 'the test of an encoder');
  expect(doctor.report.isRunning).toBe(true);
  first.resolve(undefined);
  await doctor.finished();
  expect(tests).toBe(1);
  expect(doctor.report.findings).toHaveLength(2);
});

it('never puts a host into a command that could be more than a host', async () => {
  const { run } = openDoctor();
  const findings = await run({ name: 'a.example;reboot', pageHost: '$(reboot).example' });
  expect(findings.get('name')?.reason).toBe('name.none');
  expect(JSON.stringify([...findings.values()].map(({ command }) => command))).not.toContain('reboot');
});
