import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Weir } from '../weir.fixture.ts';
import { expectAccessible, launchBrowser, openDesk, openPage } from './fixtures/browser.fixture.ts';
import { faultsOnPhone } from './fixtures/phone.fixture.ts';

let browser: Browser;
let from: Weir;
let to: Weir;
beforeAll(async () => {
  [browser, from, to] = await Promise.all([launchBrowser(), Weir.start(), Weir.start()]);
});
afterAll(() => Promise.all([browser?.close(), from?.close(), to?.close()]));

it('a backup is downloaded with a new recovery key and restored on the set-up page of a new server', async () => {
  const session = await from.setUp('the first password');
  const bearer = { authorization: `Bearer ${session.bearer}` };
  await from.post('/terraform/v1/mgmt/beian/update', { beian: 'title', text: 'Harbour TV' }, bearer);
  const { page } = await openPage(await openDesk(browser, { origin: from.origin, session }));
  await page.goto(`${from.origin}/mgmt/en/routers-settings?tab=backup`);
  await page.getByRole('button', { name: 'Create recovery key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your recovery key' });
  const identity = await dialog.getByRole('textbox', { name: 'Recovery key' }).inputValue();
  expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download backup' }).click();
  const download = await downloading;
  const file = join(from.dataDir, download.suggestedFilename());
  expect(download.suggestedFilename()).toMatch(/^weir-\d{8}-\d{6}-[0-9a-f]{6}\.weir\.age$/);
  await download.saveAs(file);
  // Scripts send a call in one piece, which takes a shorter way through the front door.
  const script = { method: 'POST', headers: bearer, body: '{}' };
  const answer = await fetch(`${from.origin}/terraform/v1/mgmt/backup/download`, script);
  expect([answer.status, (await answer.text()).startsWith('age-encryption.org/v1')]).toEqual([200, true]);
  await page.getByRole('heading', { name: 'Schedule' }).waitFor();
  expect(await faultsOnPhone(page)).toEqual([]);
  await page.context().close();

  const { page: fresh } = await openPage(browser);
  await fresh.goto(`${to.origin}/?code=${to.setupCode}`);
  await fresh.getByRole('button', { name: 'Restore a backup instead' }).click();
  await fresh.locator('input[type=file]').setInputFiles(file);
  const key = fresh.getByLabel('Recovery key', { exact: true });
  await key.fill(`${identity.slice(0, -8)}QQQQQQQQ`);
  await fresh.getByRole('button', { name: 'Check backup' }).click();
  await fresh.getByText('This is not a recovery key').waitFor();
  await key.fill(identity);
  await fresh.getByRole('button', { name: 'Check backup' }).click();
  await fresh.getByRole('heading', { name: 'Changes of a restore' }).waitFor();
  await fresh.getByText('Site and platform').waitFor();
  await expectAccessible(fresh);
  await fresh.getByRole('button', { name: 'Restore', exact: true }).click();
  await fresh.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  // The control server restarts, and the page asks for the password of the backup.
  const password = fresh.getByLabel('Password', { exact: true });
  await password.waitFor();
  await password.fill('the first password');
  await password.press('Enter');
  await fresh.waitForURL(/routers-scenario/);
  expect((await to.post('/terraform/v1/mgmt/beian/query')).data).toMatchObject({ title: 'Harbour TV' });
  await fresh.context().close();
});

it("another server's configuration file is looked at and imported in the console, while the rest stays", async () => {
  const { data: session } = await from.post('/terraform/v1/mgmt/login', { password: 'the first password' });
  const bearer = { authorization: `Bearer ${session.bearer}` };
  const { page } = await openPage(await openDesk(browser, { origin: from.origin, session }));
  await page.goto(`${from.origin}/mgmt/en/routers-settings?tab=backup`);
  const panel = page.getByRole('region', { name: 'Import from another server' });
  await panel.getByLabel('Server', { exact: true }).selectOption('srs');
  const file = join(import.meta.dirname, '../../apps/server/src/migrate/import/fixtures/srs.conf');
  await panel.locator('input[type=file]').setInputFiles(file);
  await panel.getByRole('button', { name: 'Check file' }).click();
  await panel.getByRole('heading', { name: 'Will not be imported' }).waitFor();
  await panel.getByText('set WEIR_RTMP_LISTEN=1936 in the environment of the server').waitFor();
  await expectAccessible(page);
  expect(await faultsOnPhone(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
  // The control server restarts and the page is loaded again.
  await panel.getByRole('button', { name: 'Check file' }).waitFor();
  const read = async (path: string) => (await from.post(`/terraform/v1/${path}`, {}, bearer)).data;
  expect(Object.values(await read('ffmpeg/forward/secret'))).toHaveLength(2);
  expect(await read('hooks/record/query')).toMatchObject({ all: true, globs: ['/live/show', '/live/news'] });
  expect(await read('mgmt/beian/query')).toMatchObject({ title: 'Harbour TV' });
  await page.context().close();
});
