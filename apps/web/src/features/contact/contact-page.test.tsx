import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, noContactLinks, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

afterEach(() => {
  vi.useRealTimers();
});

function openPage(locale: 'en' | 'zh', links = {}) {
  const server = new FakeServer().answer('contact/query', { ...noContactLinks, ...links });
  saveCredentials(session);
  return { server, user: renderConsole(`/${locale}/routers-contact`) };
}

async function openSlides() {
  const { user } = openPage('zh', { community: 'https://community.example/' });
  const carousel = await screen.findByRole('group', { name: '社区' });
  const shows = (title: string) => within(carousel).queryByRole('heading', { name: title }) !== null;
  return { user, carousel, shows };
}

it('lists only contact links with an address in English', async () => {
  openPage('en', { source: 'https://source.example/weir' });
  const people = within(await screen.findByRole('region', { name: 'Community' }));
  expect(people.getAllByRole('listitem')).toHaveLength(1);
  const links = people.getAllByRole('link');
  expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('rel')])).toEqual([
    ['https://source.example/weir', 'noopener noreferrer'],
  ]);
  expect(people.queryByText('Chat community')).toBeNull();
});

it('shows the documentation and no empty list without a contact address', async () => {
  openPage('en');
  const edit = await screen.findByRole('button', { name: 'Edit links' });
  await waitFor(() => expect(edit).toHaveProperty('disabled', false));
  expect(screen.queryByRole('region', { name: 'Community' })).toBeNull();
  const documentation = within(screen.getByRole('region', { name: 'Documentation' }));
  expect(documentation.getByRole('link', { name: 'Forward' }).getAttribute('href')).toMatch(
    /docs\/en\/features-forward\.html$/,
  );
});

it('hides a Chinese group without a link', async () => {
  openPage('zh');
  const carousel = within(await screen.findByRole('group', { name: '社区' }));
  expect(carousel.getByText(/^尚未填写交流群地址/)).toBeDefined();
  expect(carousel.queryByRole('link', { name: /加入交流群/ })).toBeNull();
  expect(carousel.getByRole('link', { name: '阅读入门指南' })).toBeDefined();
});

it('refuses an invalid contact address and shows a saved one at once', async () => {
  const { server, user } = openPage('en');
  server.answer('contact/update', { ...noContactLinks, chat: 'https://chat.example/' });
  const edit = await screen.findByRole('button', { name: 'Edit links' });
  await waitFor(() => expect(edit).toHaveProperty('disabled', false));
  await user.click(edit);
  const field = await screen.findByRole('textbox', { name: 'Chat community' });
  await user.type(field, 'javascript:1');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Enter a URL that starts with http:// or https://.')).toBeDefined();
  expect(server.callsTo('contact/update')).toEqual([]);
  await user.clear(field);
  await user.type(field, 'https://chat.example/');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('link', { name: 'Chat community' })).toBeDefined());
  expect(server.callsTo('contact/update').map(({ body }) => body)).toEqual([{ chat: 'https://chat.example/' }]);
});

it('changes the Chinese slides by buttons, dots and a swipe of 40 px', async () => {
  const { user, carousel, shows } = await openSlides();
  expect([shows('加入交流群'), shows('付费社群')]).toEqual([true, false]);
  expect(within(carousel).getByRole('link', { name: '阅读入门指南' })).toBeDefined();
  await user.click(within(carousel).getByRole('button', { name: '下一张' }));
  expect([shows('加入交流群'), shows('付费社群')]).toEqual([false, true]);
  await user.click(within(carousel).getByRole('button', { name: '查看：加入交流群' }));
  const swipe = (px: number) => {
    const heading = within(carousel).getByRole('heading');
    fireEvent.pointerDown(heading, { clientX: 200 });
    fireEvent.pointerUp(heading, { clientX: 200 + px });
  };
  swipe(-39);
  expect(shows('加入交流群')).toBe(true);
  swipe(-40);
  expect(shows('付费社群')).toBe(true);
  swipe(40);
  expect(shows('加入交流群')).toBe(true);
});

it('changes the slide every 5 s, except while hovered, focused or paused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const { carousel, shows } = await openSlides();
  const pause = () => within(carousel).getByRole('button', { name: '暂停轮播' });
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  fireEvent.mouseEnter(carousel);
  pass(20_000);
  expect(shows('加入交流群')).toBe(true);
  fireEvent.mouseLeave(carousel);
  pass(4000);
  expect(shows('加入交流群')).toBe(true);
  pass(1000);
  expect(shows('付费社群')).toBe(true);
  act(() => pause().focus());
  pass(20_000);
  expect(shows('付费社群')).toBe(true);
  act(() => pause().blur());
  pass(5000);
  expect(shows('加入交流群')).toBe(true);
  fireEvent.click(pause());
  pass(20_000);
  expect(shows('加入交流群')).toBe(true);
});
