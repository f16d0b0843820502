import { cleanup, screen, within } from '@testing-library/react';
import { type Alert, alertIssueIds, cpuUsers, type Issue, issueIds } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { anAlert, FakeServer, runningStatus, session } from '../../../testing/fake-server.ts';
import { address, renderConsole } from '../../../testing/render-console.tsx';

const forward = { page: 'scenario', tab: 'forward', child: '' } as const;
const output = (facts: Partial<Alert>) =>
  anAlert({ kind: 'output', severity: 'bad', count: 1, place: forward, cause: 'connection-refused', ...facts });

async function openOverview(alerts: Alert[], locale = 'en') {
  const server = new FakeServer().answer('status', { ...runningStatus, alerts });
  saveCredentials(session);
  const user = renderConsole(`/${locale}/routers-scenario?tab=overview`);
  const name = locale === 'en' ? 'Alerts' : '告警';
  return { user, server, panel: within(await screen.findByRole('region', { name })) };
}

it('shows a failing forward in the overview, the status strip and at its tab', async () => {
  const { user, panel } = await openOverview([
    output({ subject: 'wx' }),
    output({ subject: 'forwarding-4-abcdef', label: 'Sunday' }),
  ]);
  expect(panel.queryByText('Nothing needs your attention.')).toBeNull();
  expect(panel.getByText('Forwarding to YouTube is failing')).toBeDefined();
  expect(panel.getByText('Forwarding to Sunday is failing')).toBeDefined();
  expect(panel.getAllByText(/^The connection was refused\./)).toHaveLength(2);
  const strip = within(screen.getByRole('complementary', { name: 'Server status' }));
  expect(strip.getByText('Alerts: 2')).toBeDefined();
  expect(strip.getByText('Needs attention')).toBeDefined();
  const tab = screen.getByRole('tab', { name: 'Forward' });
  expect([tab.dataset.mark, tab.title]).toEqual(['bad', '2 alerts']);
  expect(screen.getByRole('tab', { name: 'Record' }).dataset.mark).toBeUndefined();
  const [link] = panel.getAllByRole('link', { name: 'Open Forward' });
  await user.click(link as HTMLElement);
  expect(address()).toBe('/en/routers-scenario?tab=forward');
});

it.each([
  [true, 'bad'],
  [false, 'warn'],
])(
  'colours the status strip by an alert where a stream was published before (%s) in the tone %s',
  async (published, tone) => {
    const status = {
      ...runningStatus,
      alerts: [output({ subject: 'wx' })],
      steps: { published, watched: false, forwarded: false, recorded: false },
    };
    new FakeServer().answer('status', status);
    saveCredentials(session);
    renderConsole('/en/routers-scenario?tab=overview');
    const strip = within(await screen.findByRole('complementary', { name: 'Server status' }));
    const tones = [await strip.findByText('Alerts: 1'), strip.getByText('Needs attention')].map(
      (word) => word.closest<HTMLElement>('[data-tone]')?.dataset.tone,
    );
    expect(tones).toEqual([tone, tone]);
  },
);

it('has texts in both languages and a link for every kind of alert', async () => {
  const record = { page: 'scenario', tab: 'record', child: '' } as const;
  const { panel } = await openOverview(
    [
      output({ place: { page: 'scenario', tab: 'transcode', child: '' }, severity: 'warn', cause: 'a new one' }),
      anAlert({ kind: 'record-storage', place: record }),
      anAlert({ kind: 'record-failed', place: record, subject: 'live/show', cause: 'copy' }),
      anAlert({ kind: 'record-lost', place: record, count: 2 }),
      anAlert({ kind: 'upload', place: { page: 'scenario', tab: 'others', child: 'dvr' }, cause: 'wrong-key' }),
      anAlert({ kind: 'callback', place: { page: 'settings', tab: 'callback', child: '' } }),
      anAlert({ kind: 'local-ai', place: { page: 'settings', tab: 'llm', child: '' }, count: 3 }),
      anAlert({ kind: 'ai-limit', place: { page: 'settings', tab: 'llm', child: '' }, subject: 'transcript' }),
      anAlert({
        kind: 'ai-limit',
        place: { page: 'scenario', tab: 'stream', child: '' },
        subject: 'rooms',
        label: '晚间',
      }),
      anAlert({
        kind: 'ai-provider',
        place: { page: 'settings', tab: 'llm', child: '' },
        count: 7,
        subject: 'transcript',
        label: 'api.example',
        cause: 'unreachable',
      }),
      anAlert({ kind: 'worker', place: { page: 'scenario', tab: 'live', child: '' }, subject: 'srt' }),
      anAlert({
        kind: 'stream',
        place: { page: 'settings', tab: 'streams', child: '' },
        subject: 'live/show',
        cause: 'uplink-full',
      }),
      anAlert({ kind: 'certificate', place: { page: 'settings', tab: 'https', child: '' } }),
      anAlert({}),
    ],
    'zh',
  );
  for (const title of ['转码反复重启', '录制已停止', 'live/show 的录制未能完成处理', '2 个录制有缺失', '文件上传失败'])
    expect(panel.getByText(title)).toBeDefined();
  for (const title of [
    '回调未能送达',
    '内置 AI 反复异常退出',
    'SRT 进程异常退出',
    'live/show：推流端网络太慢',
    '已达到 AI 每日用量上限：字幕',
    '已达到 AI 每日用量上限：晚间',
    'api.example 持续无法使用：字幕',
    '证书即将到期',
    '登录失败',
  ])
    expect(panel.getByText(title)).toBeDefined();
  expect(panel.getByRole('link', { name: '打开“其他”' }).getAttribute('href')).toBe(
    '/mgmt/zh/routers-scenario?tab=others&ctab=dvr',
  );
  expect(panel.getByRole('link', { name: '打开“回调”' }).getAttribute('href')).toBe(
    '/mgmt/zh/routers-settings?tab=callback',
  );
  expect(panel.queryByText(/overview\./)).toBeNull();
});

it('shows weak durability of the database and its absence, without a link', async () => {
  const place = { page: 'scenario', tab: 'overview', child: '' } as const;
  const causes = ['appendfsync', 'maxmemory-policy'];
  const { server, panel } = await openOverview(causes.map((cause) => anAlert({ kind: 'store', place, cause })));
  expect(panel.getByText(/Set appendfsync to always/)).toBeDefined();
  expect(panel.getByText(/Set maxmemory-policy to noeviction/)).toBeDefined();
  expect(panel.queryByRole('link')).toBeNull();
  server.refuse('status', 500, 1007);
  expect(await panel.findByText('Settings database unavailable')).toBeDefined();
  const strip = within(screen.getByRole('complementary', { name: 'Server status' }));
  expect(strip.getByText('Failing')).toBeDefined();
});

it.each([
  ['leader', ['http://10.0.0.6:2022'], 'Leading', 'http://10.0.0.6:2022'],
  ['leader', [], 'Leading', /no other takes over/],
  ['standby', ['http://10.0.0.6:2022'], 'On standby', /This page shows the server that leads/],
])('shows the leader of a pair on its %s', async (asked, standbys, role, more) => {
  const pair = { asked, leader: 'http://10.0.0.5:2022', standbys, filesShared: true };
  new FakeServer().answer('status', { ...runningStatus, pair });
  saveCredentials(session);
  renderConsole('/en/routers-scenario?tab=overview');
  const panel = within(await screen.findByRole('region', { name: 'Server' }));
  expect(panel.getByText('Role of this server').parentElement?.textContent).toContain(role);
  for (const text of ['http://10.0.0.5:2022', more]) expect(panel.getByText(text)).toBeDefined();
});

it.each([
  ['en', [], /Publish there\./],
  ['en', ['process'], /Publish to the media server, whichever server leads\./],
  ['zh', ['process'], /都推流到媒体服务器。/],
])('directs publishers from the standby to the leader (%s, %j)', async (locale, engineLacks, text) => {
  const pair = { asked: 'standby', leader: 'http://10.0.0.5:2022', standbys: [], filesShared: true };
  new FakeServer().answer('status', { ...runningStatus, pair }).answer('envs', { engineLacks });
  saveCredentials(session);
  renderConsole(`/${locale}/routers-scenario?tab=overview`);
  expect(await screen.findByText(text)).toBeDefined();
});

it('says that nothing needs attention and marks no tab', async () => {
  const { panel } = await openOverview([]);
  expect(panel.getByText('Nothing needs your attention.')).toBeDefined();
  expect(document.querySelectorAll('[data-mark]')).toHaveLength(0);
});

const since = '2026-01-01T00:00:00Z';
const anIssue = (facts: Partial<Issue>): Issue => ({
  id: 'cpu-full',
  severity: 'warn',
  since,
  numbers: { percent: 96.4 },
  subject: '',
  ...facts,
});

it('shows issues of the server without those reported as alerts', async () => {
  const place = { page: 'settings', tab: 'callback', child: '' } as const;
  const alerts = [anAlert({ kind: 'callback', place })];
  const server = new FakeServer().answer('status', { ...runningStatus, alerts });
  const issues = [
    anIssue({ id: 'disk-filling', numbers: { days: 1, gigabytes: 12.5 } }),
    anIssue({ id: 'port-taken', severity: 'bad', numbers: { port: 1935 }, subject: 'rtmp' }),
    anIssue({}),
    anIssue({ id: 'callback-failing', numbers: { count: 4 } }),
    anIssue({ id: 'certificate-untrusted', numbers: {} }),
  ];
  server.answer('server/diagnosis', { verdict: 'bad', issues });
  saveCredentials(session);
  const user = renderConsole('/en/routers-scenario?tab=overview');
  const panel = within(await screen.findByRole('region', { name: 'Alerts' }));
  const titles = ['Port 1935 is in use', 'Callbacks are not delivered', 'Disk full in 1 day', 'CPU nearly full'];
  await panel.findByText('Port 1935 is in use');
  const rows = panel.getAllByRole('listitem');
  expect(rows.map((row, at) => row.textContent?.startsWith(titles[at] ?? 'no more'))).toEqual(titles.map(() => true));
  expect(panel.getByText(/Another program uses port 1935, so RTMP is off\./)).toBeDefined();
  expect(panel.getByText(/96\.4% of all cores.*Stop what you don't need/)).toBeDefined();
  const strip = within(screen.getByRole('complementary', { name: 'Server status' }));
  expect(strip.getByText('Alerts: 4')).toBeDefined();
  expect(screen.getByRole('tab', { name: 'Record' }).dataset.mark).toBe('warn');
  expect(screen.getByRole('tab', { name: 'Transcode' }).dataset.mark).toBeUndefined();
  const machine = within(screen.getByRole('region', { name: 'Server' }));
  expect(machine.getByText("Browsers don't trust the certificate")).toBeDefined();
  expect(machine.getByRole('link', { name: 'Open HTTPS' })).toBeDefined();
  await user.click(panel.getByRole('link', { name: 'Open Record' }));
  expect(address()).toBe('/en/routers-scenario?tab=record');
});

it.each([
  ['en', 'transcode', /Transcoding uses 62%\. Stop transcoding/, 'Open Transcode'],
  ['en', 'rtc', /The WebRTC process uses 62%\. Let some viewers play HLS/, undefined],
  ['en', 'elsewhere', /Weir uses only 62%; the rest is used by other programs/, undefined],
  ['zh', 'ai', /其中内置 AI 占 62%。请停止实时字幕/, '打开“AI 服务”'],
  ['zh', 'elsewhere', /其中 Weir 仅占 62%，其余由本机的其他程序占用/, undefined],
])('says in %s that the CPU is used by %s, and where that is stopped', async (locale, subject, text, link) => {
  const issues = [anIssue({ subject, numbers: { percent: 96.4, used: 62 } })];
  const server = new FakeServer().answer('server/diagnosis', { verdict: 'ok', issues });
  server.answer('status', runningStatus);
  saveCredentials(session);
  renderConsole(`/${locale}/routers-scenario?tab=overview`);
  // The panel moves up once there is something in it.
  await screen.findByText(text);
  const panel = within(screen.getByRole('region', { name: locale === 'en' ? 'Alerts' : '告警' }));
  expect(panel.queryAllByRole('link').map((one) => one.textContent)).toEqual(link ? [link] : []);
});

it('has words in both languages for everybody who may use the CPU', async () => {
  const issues = cpuUsers.map((subject) => anIssue({ subject, numbers: { percent: 96.4, used: 62 } }));
  for (const locale of ['en', 'zh']) {
    new FakeServer().answer('server/diagnosis', { verdict: 'ok', issues });
    saveCredentials(session);
    renderConsole(`/${locale}/routers-scenario?tab=overview`);
    await screen.findAllByText(locale === 'en' ? 'CPU nearly full' : 'CPU 即将耗尽');
    expect(document.body.textContent).not.toContain('diagnose.');
    cleanup();
  }
});

it('has texts for every issue of a server', async () => {
  const ids = issueIds.slice(issueIds.indexOf('cpu-full')).filter((id) => !alertIssueIds.includes(id));
  new FakeServer().answer('server/diagnosis', { verdict: 'bad', issues: ids.map((id) => anIssue({ id })) });
  saveCredentials(session);
  renderConsole('/zh/routers-scenario?tab=overview');
  await screen.findByText('CPU 即将耗尽');
  await screen.findByText('证书不受浏览器信任');
  expect(document.body.textContent).not.toContain('diagnose.');
});
