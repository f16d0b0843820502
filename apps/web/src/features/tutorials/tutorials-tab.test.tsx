import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { articles, videos } from '../../components/tutorials/tutorial-list.ts';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, runningStatus, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

// Queried by tags: with roles, happy-dom would compute the styles of everything around them.
const cards = () => [...document.querySelectorAll('[role="tabpanel"] ul > li')];
const titles = () => cards().map((card) => card.querySelector('a')?.textContent?.trim());

it('shows seventeen tutorials without a request', async () => {
  const server = new FakeServer();
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=tutorials');
  await screen.findByRole('heading', { name: 'Tutorials' });
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Tutorials');
  expect(titles()).toEqual(articles.map(({ title }) => title));
  expect(articles).toHaveLength(17);
  const [first] = cards();
  expect(first?.textContent).toContain('By Winlin Yang');
  expect(first?.textContent).toContain('From a new cloud machine to the first stream');
  for (const card of cards()) expect(card.querySelector('a')).toHaveProperty('rel', 'noopener noreferrer');
  expect(server.callsTo('bilibili')).toHaveLength(0);
});

it('sorts Chinese videos by views and shows their facts', async () => {
  const server = new FakeServer();
  const views: Record<string, number> = { BV1RS4y1G7tb: 90_000, BV1G3411d7Gb: 120_500 };
  server.answers.set('bilibili', ({ body }) => {
    const { bvid } = body as { bvid: string };
    const stat = { view: views[bvid] ?? 10, like: 7, share: 3 };
    const known = { bvid, title: `题目 ${bvid}`, desc: bvid === 'BV1RS4y1G7tb' ? '-' : '说明', stat };
    return { body: { code: 0, data: bvid === 'BV1tZ4y1R7qp' ? null : known, server: 1 } };
  });
  saveCredentials(session);
  renderConsole('/zh/routers-scenario?tab=tutorials');
  await screen.findByText('题目 BV1G3411d7Gb');
  await waitFor(() => expect(server.callsTo('bilibili')).toHaveLength(12));
  await waitFor(() => expect(titles().slice(0, 2)).toEqual(['题目 BV1G3411d7Gb', '题目 BV1RS4y1G7tb']));
  const [first, second] = cards();
  expect(first?.textContent).toContain('播放 12.1万');
  expect(second?.textContent).toContain('如何使用推流软件推流');
  expect(titles().at(-1)).toBe('配置 HTTPS 证书');
});

it('shows videos without counts when none are known', async () => {
  const server = new FakeServer().refuse('bilibili', 500, 1);
  saveCredentials(session);
  renderConsole('/zh/routers-scenario?tab=tutorials');
  expect(await screen.findAllByText(/^直播推流与观看（[1-4]）$/)).toHaveLength(4);
  await waitFor(() => expect(server.callsTo('bilibili')).toHaveLength(12));
  expect(cards()).toHaveLength(videos.length);
  expect(screen.queryByText('播放')).toBeNull();
  expect(screen.getByRole('alert').textContent).toBe('');
});

it('opens tutorials beside the guides in Chinese', async () => {
  new FakeServer().answer('bilibili', null);
  saveCredentials(session);
  const user = renderConsole('/zh/routers-scenario?tab=live');
  await user.click(await screen.findByRole('button', { name: '视频教程' }));
  const dialog = within(await screen.findByRole('dialog', { name: '教程' }));
  expect(dialog.getAllByRole('listitem')).toHaveLength(4);
  await user.click(dialog.getByRole('button', { name: '关闭教程' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('shows the first steps with their progress and links', async () => {
  const steps = { published: true, watched: false, forwarded: false, recorded: true };
  new FakeServer().answer('status', { ...runningStatus, steps });
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=tutorials');
  await screen.findByText('2 of 4 done');
  const band = [...document.querySelectorAll('[role="tabpanel"] ol > li')];
  expect(band.map((step) => step.querySelector('h3')?.textContent)).toEqual(['Publish', 'Watch', 'Forward', 'Record']);
  expect(band.map((step) => step.textContent?.includes('Done'))).toEqual([true, false, false, true]);
  expect(band.map((step) => step.getAttribute('aria-current'))).toEqual([null, 'step', null, null]);
  expect(band.map((step) => step.querySelector('a')?.getAttribute('href')?.split('?')[1])).toEqual([
    'tab=live',
    'tab=live',
    'tab=forward',
    'tab=record',
  ]);
  expect(titles()).toEqual(articles.map(({ title }) => title));
});

it('opens the overview instead of the tutorials once a stream was published', async () => {
  const steps = { published: true, watched: false, forwarded: false, recorded: false };
  const server = new FakeServer().answer('status', { ...runningStatus, steps });
  saveCredentials(session);
  renderConsole('/en/routers-scenario');
  await screen.findByRole('region', { name: 'Addresses' });
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Overview');
  expect(server.callsTo('status').length).toBeGreaterThan(0);
});
