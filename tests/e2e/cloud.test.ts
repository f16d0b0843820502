import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Live } from '../media/fixtures/live.fixture.ts';
import { S3Server } from '../s3.fixture.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openPage,
  type Watched,
} from './fixtures/browser.fixture.ts';

let browser: Browser;
let live: Live;
let s3: S3Server;
beforeAll(async () => {
  [browser, live, s3] = await Promise.all([launchBrowser(), Live.start(), S3Server.start()]);
});
afterAll(() => Promise.all([browser.close(), live.close(), s3.close()]));

async function open(address: string, options: Parameters<typeof openPage>[1] = {}): Promise<Watched> {
  const watched = await openPage(browser, options);
  watched.page.setDefaultTimeout(40_000);
  await watched.page.addInitScript(
    (value) => localStorage.setItem('SRS_TERRAFORM_TOKEN', value),
    JSON.stringify(live.session),
  );
  await watched.page.goto(`${live.weir.origin}/mgmt${address}`);
  return watched;
}

it('a bucket is tested and saved, and its secret is not shown again', async () => {
  const { page, faults } = await open('/en/routers-scenario?tab=record');
  await page.getByRole('button', { name: 'Rules', exact: true }).click();
  await page.getByLabel('Upload finished recordings to an S3 bucket').click();
  const { endpoint, bucket, accessKeyId, secretAccessKey } = s3.bucket;
  await page.getByLabel('Endpoint').fill(endpoint);
  await page.getByLabel('Bucket', { exact: true }).fill(bucket);
  await page.getByLabel('Access key').fill(accessKeyId);
  const secret = page.getByRole('textbox', { name: 'Secret key' });
  await secret.fill('wrong');
  await page.getByRole('button', { name: 'Test connection', exact: true }).click();
  await page.getByText('The access key or secret key is incorrect.').waitFor();
  await expectAccessible(page);
  await secret.fill(secretAccessKey);
  await page.getByRole('button', { name: 'Test connection', exact: true }).click();
  await page.getByText('The bucket works. A small file was written, read and deleted.').waitFor();
  await page.getByRole('button', { name: 'Save bucket settings' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await expect.poll(() => secret.inputValue()).toBe('••••••••');
  expect(s3.requests.map((request) => request.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE']);
  expect(faults).toEqual([]);
});

it('the cloud screens can be used in Chinese on a phone, in the dark theme', async () => {
  const phone = { viewport: { width: 390, height: 800 }, colorScheme: 'dark' } as const;
  const { page, faults } = await open('/zh/routers-scenario?tab=others&ctab=vod', phone);
  await page.getByLabel('SecretId').waitFor();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: '点播规则' }).click();
  await page.getByLabel('将所有流录制到云点播').click();
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await page.getByText('设置VoD规则成功').waitFor();
  await page.getByRole('button', { name: '云录制', exact: true }).click();
  await page.getByText('云点播已开启').waitFor();
  await expectAccessible(page);
  expect(faults).toEqual([]);
});
