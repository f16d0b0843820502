import { screen, within } from '@testing-library/react';
import type { LadderRow, LadderRule } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../../testing/fake-server.ts';
import { renderConsole } from '../../../testing/render-console.tsx';

const api = (name: string) => `/terraform/v1/ffmpeg/ladder/${name}`;
const rule: LadderRule = {
  id: 'r1',
  pattern: '/live/*',
  enabled: true,
  when: 'always',
  hasAudioOnly: true,
  isForced: false,
  encoder: '',
  preset: 'superfast',
  rungs: [
    { lines: 480, kbps: 1200 },
    { lines: 360, kbps: 700 },
  ],
};
const row: LadderRow = {
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'show',
  rule: 'r1',
  encoder: 'libx264',
  state: 'running',
  cause: 'room',
  reason: '',
  needPercent: 71.2,
  freePercent: 40.9,
  rungs: [
    { lines: 480, kbps: 1200, name: '', isMade: false, madeKbps: 0, percent: 34 },
    { lines: 360, kbps: 700, name: '360p', isMade: true, madeKbps: 680, percent: 15.2 },
  ],
};
const encoders = {
  encoders: [
    { encoder: 'h264_nvenc', isUsable: false, fault: 'driver', detail: 'Cannot load libcuda.so.1', device: '' },
    { encoder: 'libx264', isUsable: true, fault: '', detail: '', device: '' },
  ],
  chosen: 'libx264',
};

function open(rules: readonly LadderRule[], streams: readonly LadderRow[] = []) {
  const server = new FakeServer()
    .answer('streams/query', { streams: [activeStream()] })
    .answer(api('query'), { rules, streams, isAvailable: true, cores: 2 })
    .answer(api('encoders'), encoders);
  saveCredentials(session);
  return { server, user: renderConsole('/en/routers-scenario?tab=transcode&mode=ladder') };
}

it('adds a rule with a preset, after measuring what it costs', async () => {
  const { server, user } = open([]);
  const cost = { encoder: 'libx264', decodePercent: 8, needPercent: 60.3, freePercent: 120, fits: true };
  server.answer(api('measure'), { ...cost, rungs: [{ lines: 720, kbps: 2500, percent: 40 }] });
  server.answer(api('save'), rule);
  // Encoders are tested only when somebody needs them.
  await user.click(await screen.findByRole('button', { name: 'Add rule' }));
  expect(server.callsTo(api('encoders'))).toHaveLength(1);
  await user.selectOptions(screen.getByLabelText('Preset'), 'For a 1080p source');
  await user.click(screen.getByRole('button', { name: 'Remove 360p' }));
  await user.click(screen.getByLabelText('Audio only'));
  const bitrate = screen.getAllByLabelText('Bitrate in kbit/s')[0] as HTMLInputElement;
  await user.clear(bitrate);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('From 50 to 50000.')).toBeDefined();
  await user.type(bitrate, '2000');
  await user.click(screen.getByRole('button', { name: 'Measure cost' }));
  expect(await screen.findByText('Fits: 61% of a core needed, 120% free')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved')).toBeDefined();
  expect(server.callsTo(api('save'))[0]?.body).toMatchObject({
    pattern: '/live/*',
    encoder: '',
    hasAudioOnly: false,
    rungs: [
      { lines: 720, kbps: 2000 },
      { lines: 480, kbps: 1200 },
    ],
  });
});

it('shows what is made of a stream, what is left out and why, and why encoders do not work', async () => {
  open([rule], [row]);
  const table = await screen.findByRole('table', { name: 'Qualities of live/show' });
  const cells = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((each) => each.textContent?.replaceAll('\u00a0', ' '));
  expect(cells).toEqual(['480p1.2 Mbit/sLeft out34%', '360p700 kbit/s680 kbit/s16%']);
  expect(screen.getByText('Fewer qualities')).toBeDefined();
  expect(screen.getByText('480p · 360p · Audio only – Always – Automatic')).toBeDefined();
  expect(screen.getByText(/All qualities need 72% of a core and 40% are free/)).toBeDefined();
  expect(await screen.findByText('Cannot load libcuda.so.1')).toBeDefined();
  expect(screen.getByText('Used automatically')).toBeDefined();
});
