import { type DoctorReport, doctorChecks } from '@weir/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../../../../tests/weir.fixture.ts';
import { createTestApp } from '../../app.fixture.ts';

describe('the calls of the doctor', () => {
  const secrets = {
    MGMT_PASSWORD: 'PasswordOfTheOwner1',
    SRS_PLATFORM_SECRET: 'ApiSecretOfTheOwner2',
    WEIR_SRT_PASSPHRASE: 'PassphraseOfTheOwner3',
    YTDL_PROXY: 'http://user:ProxyOfTheOwner4@proxy.invalid',
  };

  it('need the credential of the administrator', async () => {
    const { post, close } = await createTestApp();
    onTestFinished(close);
    for (const path of ['run', 'query']) {
      expect((await post(`/terraform/v1/mgmt/doctor/${path}`)).status).toBe(401);
    }
  });

  it('answer without any secret of the settings', async () => {
    const { post, close } = await createTestApp({ env: secrets });
    onTestFinished(close);
    const headers = { authorization: `Bearer ${secrets.SRS_PLATFORM_SECRET}` };
    const call = (path: string, body: object = {}) => post(`/terraform/v1/${path}`, body, headers);
    await call('hooks/srs/secret/update', { secret: 'PublishSecretOfTheOwner5' });
    await call('mgmt/openai/update', { aiSecretKey: 'sk-AiKeyOfTheOwner6', aiBaseURL: 'https://ai.invalid/v1' });
    await call('ffmpeg/forward/secret', {
      action: 'update',
      platform: 'bilibili',
      server: 'rtmp://live.invalid/app',
      secret: 'StreamKeyOfTheOwner7',
      enabled: false,
      custom: false,
      label: '',
    });
    await call('tencent/cam/secret', { secretId: 'IdOfTheOwner8', secretKey: 'CloudKeyOfTheOwner9' });
    await call('mgmt/hooks/apply', {
      target: 'http://hooks.invalid/?key=HookKeyOfTheOwner10',
      opaque: 'x',
      all: false,
    });
    const made: string[] = [
      (await call('mgmt/hooks/query')).data.secret,
      (await call('mgmt/edges/query')).data.token,
      (await call('live/room/create', { title: 'Room' })).data.secret,
    ];
    expect((await call('mgmt/doctor/run', { name: 'live.invalid', zone: 'UTC' })).data.isRunning).toBe(true);
    let report: DoctorReport | undefined;
    await until(async () => {
      report = (await call('mgmt/doctor/query')).data as DoctorReport;
      return !report.isRunning;
    }, 'the end of the checks');
    const text = JSON.stringify(report);
    expect(report?.findings).toHaveLength(doctorChecks.length);
    expect(text).not.toMatch(/OfTheOwner/);
    // Secrets that the server made.
    expect(made.map((secret) => secret.length >= 16 && text.includes(secret))).toEqual(made.map(() => false));
  });
});
