import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { address, renderConsole } from '../../testing/render-console.tsx';
import { dvrOff, vodOff } from '../cloud/cloud.fixture.ts';

function open(query: string, locale = 'en') {
  new FakeServer()
    .answer('envs', { srtPort: '10080' })
    .answer('bilibili', null)
    .answer('/terraform/v1/hooks/dvr/query', dvrOff)
    .answer('/terraform/v1/hooks/vod/query', vodOff);
  saveCredentials(session);
  return renderConsole(`/${locale}/routers-scenario?tab=others${query}`);
}
const isOpen = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-expanded');

it('stores the selected child tab in the address', async () => {
  const user = open('');
  expect((await screen.findByRole('region', { name: 'About Others' })).dataset.key).toBe('other');
  expect(isOpen('Low-latency streaming over SRT')).toBe('false');
  await user.click(screen.getByRole('tab', { name: 'Deprecated' }));
  expect(address()).toBe('/en/routers-scenario?tab=others&ctab=deprecated');
  expect(await screen.findByRole('button', { name: 'Cloud recording' })).toBeDefined();
});

it('opens the SRT tutorial named by the address, with values to copy', async () => {
  const user = open('&ctab=srt');
  expect(await screen.findByLabelText('Keyframe interval (s)')).toHaveProperty('value', '3');
  expect(isOpen('OBS and ffplay')).toBe('true');
  expect(screen.queryByText(/Sinsam/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'vMix' }));
  expect(await screen.findByLabelText('Hostname')).toHaveProperty('value', 'localhost');
  expect(screen.getByLabelText('Port')).toHaveProperty('value', '10080');
  expect(screen.getByLabelText('Publish Stream ID')).toHaveProperty(
    'value',
    '#!::r=live/livestream?secret=••••••••,m=publish',
  );
  expect(screen.getByLabelText('Playback Stream ID')).toHaveProperty(
    'value',
    '#!::r=live/livestream,latency=20,m=request',
  );
});

it('starts the Chinese tutorial with vMix and a third section', async () => {
  open('&ctab=srt', 'zh');
  expect(await screen.findByLabelText('推流 Stream ID')).toBeDefined();
  expect(isOpen('vMix')).toBe('true');
  expect(screen.getByRole('button', { name: '芯象和 ffplay' })).toBeDefined();
});

it('announces the cloud screens in English', async () => {
  open('&ctab=dvr');
  expect(await screen.findByText('On the way...')).toBeDefined();
  expect(isOpen('Cloud recording')).toBe('true');
});

it('introduces cloud video on demand in Chinese', async () => {
  const user = open('&ctab=vod', 'zh');
  const section = within(await screen.findByRole('region', { name: '云点播' }));
  await user.click(await section.findByRole('button', { name: '简介' }));
  expect(section.getByText('能和云录制同时使用吗？')).toBeDefined();
  expect(screen.queryByText('On the way...')).toBeNull();
});
