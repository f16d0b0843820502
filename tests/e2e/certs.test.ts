import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { keyMask } from '@weir/contract';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePair } from '../../apps/server/src/features/certs/pem-pair.fixture.ts';
import { Pebble } from '../pebble.fixture.ts';
import { until, Weir } from '../weir.fixture.ts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openDesk,
  openPage,
  openSharedDesk,
  type Watched,
} from './fixtures/browser.fixture.ts';

const secret = 'srs-v2-00000000000000000000000000000000';
const domain = 'weir.test';
let pebble: Pebble;
let weir: Weir;
let browser: Browser;
let session: object;
let desk: BrowserContext;
const origin = `http://${domain}`;

beforeAll(async () => {
  pebble = await Pebble.prepare();
  weir = await Weir.start({ ...pebble.env, SRS_PLATFORM_SECRET: secret });
  session = await weir.setUp();
  await pebble.start(weir.httpPort);
  // For the browser this server stands on port 80 of its domain, as it would for everybody else.
  browser = await launchBrowser([`--host-resolver-rules=MAP ${domain}:80 127.0.0.1:${weir.httpPort}`]);
  desk = await openSharedDesk(browser, { origin, session });
});
afterAll(async () => {
  await Promise.all([browser?.close(), weir?.close(), pebble?.close()]);
});

async function openTab(locale = 'en', context = desk): Promise<Watched> {
  const watched = await openPage(context);
  await watched.page.goto(`${origin}/mgmt/${locale}/routers-settings?tab=https`);
  return watched;
}

const call = (path: string, body: object = {}) =>
  weir.post(`/terraform/v1/mgmt/${path}`, body, { authorization: `Bearer ${secret}` });

/** Certificate of the HTTPS port, and whether a client that trusts `ca` accepts it. */
function shown(ca?: string): Promise<{ fingerprint: string; isTrusted: boolean }> {
  return new Promise((resolve, reject) => {
    const options = { port: weir.httpsPort, host: '127.0.0.1', servername: domain, rejectUnauthorized: false };
    const socket = connect({ ...options, ...(ca === undefined ? {} : { ca }) }, () => {
      const fingerprint = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
      resolve({ fingerprint, isTrusted: socket.authorized });
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

const fingerprintOf = (crt: string) => new X509Certificate(crt).fingerprint256;

const panel = (page: Page) => page.getByRole('region', { name: 'Current certificate' });

it('uses an uploaded certificate at once, and still after a reload and a restart', async () => {
  const pair = makePair({ name: domain });
  const { page, faults } = await openTab();
  await panel(page).getByText('Not trusted by browsers').waitFor();
  const key = page.getByRole('textbox', { name: 'Private key' });
  const crt = page.getByRole('textbox', { name: 'Certificate', exact: true });
  const before = (await shown()).fingerprint;
  await crt.fill(pair.crt);
  await page.getByRole('button', { name: 'Install certificate' }).click();
  await page.getByText("The private key doesn't match the certificate.").waitFor();
  expect((await shown()).fingerprint).toBe(before);
  expect(await crt.inputValue()).toBe(pair.crt);
  await expectAccessible(page);

  await key.fill(pair.key);
  await page.getByRole('button', { name: 'Install certificate' }).click();
  await page.getByRole('alert').getByText('Certificate installed').waitFor();
  await until(async () => (await shown()).fingerprint === fingerprintOf(pair.crt), 'HTTPS shows the new one');

  await page.reload();
  expect(await key.inputValue()).toBe(keyMask);
  await weir.crashServer();
  await page.reload();
  expect(await crt.inputValue()).toBe(pair.crt);
  expect((await shown()).fingerprint).toBe(fingerprintOf(pair.crt));
  expect(faults).toEqual([]);
  await page.close();
});

it('orders a certificate through the page, and the HTTPS port shows it to a client that trusts the authority', async () => {
  const { page, faults } = await openTab();
  await page.getByRole('button', { name: "Let's Encrypt" }).click();
  const field = page.getByRole('textbox', { name: 'Domain' });
  expect(await field.inputValue()).toBe(domain);
  await field.fill('other.test');
  await page.getByRole('button', { name: 'Get certificate' }).click();
  await page.getByText('which is not the certificate domain "other.test".').waitFor();
  await field.fill(domain);
  await page.getByRole('button', { name: 'Get certificate' }).click();
  await page.getByText('Certificate issued and installed').waitFor();
  await panel(page)
    .getByText(/^Pebble Intermediate/)
    .waitFor();
  await panel(page).getByText('Automatic, from').waitFor();
  const root = await pebble.root();
  await until(async () => (await shown(root)).isTrusted, 'a client trusts it');
  const { provider, crt } = (await call('cert/query')).data;
  expect(provider).toBe('lets');
  expect((await shown()).fingerprint).toBe(fingerprintOf(crt));
  expect(weir.output).not.toContain('PRIVATE KEY');
  expect(faults).toEqual([]);
  await page.close();
});

it('keeps the certificate when the authority fails, and shows why in both languages and on a phone', async () => {
  const before = (await shown()).fingerprint;
  // An authority that does not find this server under its name, then none at all.
  await pebble.start(1);
  const refused = await call('letsencrypt', { domain });
  expect(refused).toMatchObject({ status: 500, code: 1002, data: { message: expect.stringMatching(/refused/) } });
  expect((await call('cert/status')).data.order).toMatchObject({ state: 'failed', fault: 'connection' });
  expect((await shown()).fingerprint).toBe(before);
  await pebble.stop();
  const { page } = await openTab();
  await panel(page)
    .getByText(/^Open TCP port 80 in the firewall/)
    .waitFor();
  await page.getByRole('button', { name: 'Get certificate' }).click();
  await panel(page).locator('q', { hasText: 'ECONNREFUSED' }).waitFor();
  await panel(page)
    .getByText(/^Allow outgoing HTTPS/)
    .waitFor();
  expect((await shown()).fingerprint).toBe(before);
  await page.close();
  await weir.crashServer();
  const small = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const phone = await openTab('zh', await openDesk(browser, { origin, session }, small));
  await phone.page.locator('q', { hasText: 'ECONNREFUSED' }).waitFor();
  await phone.page.getByText('继续使用当前证书。').waitFor();
  await expectNoSidewaysScroll(phone.page);
  await expectAccessible(phone.page);
  await phone.page.close();
});

it('renews a certificate that expires soon, by itself', async () => {
  await pebble.start(weir.httpPort, 12);
  expect(await call('letsencrypt', { domain })).toMatchObject({ code: 0, data: { state: 'issued' } });
  const { crt } = (await call('cert/query')).data;
  await until(async () => (await shown()).fingerprint === fingerprintOf(crt), 'HTTPS shows the short one');
  const isRenewed = async () => (await shown()).fingerprint !== fingerprintOf(crt);
  await until(isRenewed, 'HTTPS shows another');
  const { order } = (await call('cert/status')).data;
  expect(order.state).toBe('issued');
  expect(Date.parse(order.at)).toBeLessThan(Date.parse(new X509Certificate(crt).validTo));
});
