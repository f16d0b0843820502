import { screen } from '@testing-library/react';
import { type NotificationChannelRow, notificationsApi } from '@weir/contract';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

export const path = (name: string) => `notifications/${name}`;
export const attempt = {
  at: new Date().toISOString(),
  ok: true,
  status: 200,
  answer: 'ok',
  failure: '',
  fact: '',
  error: '',
  tookMs: 40,
};
export const refused = { ...attempt, ok: false, status: 404, answer: 'no_team', failure: 'status', fact: '404' };

export function channel(change: Partial<NotificationChannelRow> = {}): NotificationChannelRow {
  const body = { name: 'Night shift', service: 'slack', fields: { url: '\u2022'.repeat(8) } } as const;
  return {
    id: 'c1',
    ...notificationsApi.save.body.parse(body),
    last: null,
    open: 0,
    ...change,
  } as NotificationChannelRow;
}

export async function openTab(channels: readonly NotificationChannelRow[], server = new FakeServer()) {
  server.answer(path('query'), { channels, pushKey: 'BDkey' });
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=notifications');
  await screen.findByRole('heading', { name: 'Notifications', level: 1 });
  return { user, server };
}
