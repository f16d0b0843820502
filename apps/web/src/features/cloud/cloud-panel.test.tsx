import { screen, waitFor, within } from '@testing-library/react';
import type { CloudRecording, CloudVideo } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { dvrOff, vodOff } from './cloud.fixture.ts';

const hooks = '/terraform/v1/hooks';

function open(tab: 'dvr' | 'vod', dvr = dvrOff, vod = vodOff) {
  const server = new FakeServer().answer(`${hooks}/dvr/query`, dvr).answer(`${hooks}/vod/query`, vod);
  server.answer(`${hooks}/dvr/files`, []).answer(`${hooks}/vod/files`, []).answer('bilibili', null);
  saveCredentials(session);
  return { server, user: renderConsole(`/zh/routers-scenario?tab=others&ctab=${tab}`) };
}

const facts = {
  uuid: '01234567-89ab-4cde',
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'show',
  progress: false,
  update: '2026-03-01T08:00:00Z',
  nn: 6,
  duration: 60,
  size: 3_145_728,
  waiting: 0,
  lost: 0,
};

it('asks for the cloud key first and prepares the account with it', async () => {
  const { server, user } = open('dvr', { ...dvrOff, secret: false });
  server.answer('/terraform/v1/tencent/cam/secret', null);
  await user.click(await screen.findByRole('button', { name: '保存密钥' }));
  expect(screen.getByText('请填写 SecretId。')).toBeDefined();
  await user.click(screen.getByLabelText('SecretId'));
  await user.paste('AKID');
  await user.click(screen.getByLabelText('SecretKey'));
  await user.paste('key');
  await user.click(screen.getByRole('button', { name: '保存密钥' }));
  expect(await screen.findByText('密钥已保存，云账号已就绪')).toBeDefined();
  expect(server.callsTo('/terraform/v1/tencent/cam/secret')[0]?.body).toEqual({ secretId: 'AKID', secretKey: 'key' });
});

it('saves the rule of one kind', async () => {
  const { server, user } = open('dvr');
  server.answer(`${hooks}/dvr/apply`, null);
  await user.click(await screen.findByLabelText('将所有流录制到云存储'));
  await user.click(screen.getByRole('button', { name: '保存' }));
  expect(await screen.findByText('设置录制规则成功')).toBeDefined();
  expect(server.callsTo(`${hooks}/dvr/apply`)[0]?.body).toEqual({ all: true });
});

it('says how to switch the other kind off', async () => {
  open('vod', { ...dvrOff, all: true });
  expect(await screen.findByText('云录制已开启')).toBeDefined();
  expect(screen.getByLabelText('将所有流录制到云点播')).toHaveProperty('disabled', true);
});

it('lists recordings with their bucket', async () => {
  const row: CloudRecording = { ...facts, bucket: 'b-1', region: 'ap-beijing' };
  const { server } = open('dvr', { ...dvrOff, all: true });
  server.answer(`${hooks}/dvr/files`, [row, { ...row, uuid: 'growing', progress: true, waiting: 2 }]);
  const table = within(await screen.findByRole('table', { name: '任务列表' }));
  expect(table.getByText('2 个切片等待上传')).toBeDefined();
  expect(table.getByRole('link', { name: '01234567-89ab' })).toBeDefined();
  const [done, growing] = table.getAllByRole('link', { name: '预览 live/show' });
  expect(done?.getAttribute('href')).toContain(encodeURIComponent('b-1.cos.ap-beijing.myqcloud.com'));
  expect(growing?.getAttribute('href')).toContain(encodeURIComponent('/hooks/dvr/hls/growing.m3u8'));
});

it('lists videos with their MP4 files', async () => {
  const task = { url: 'http://cdn/v.mp4', bitrate: 1, height: 720, width: 1280, size: 1, duration: 60, md5: '' };
  const row: CloudVideo = { ...facts, file: '2482', media: 'http://cdn/f0.m3u8', task };
  const { server } = open('vod', dvrOff, { ...vodOff, all: true });
  server.answer(`${hooks}/vod/files`, [row]);
  const table = within(await screen.findByRole('table', { name: '任务列表' }));
  expect(table.getByText('1280×720')).toBeDefined();
  await waitFor(() => expect(table.getByRole('link', { name: 'MP4' }).getAttribute('href')).toBe('http://cdn/v.mp4'));
});
