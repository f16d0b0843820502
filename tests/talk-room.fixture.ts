import type { Live } from './media/fixtures/live.fixture.ts';
import type { VoiceProvider } from './voice-provider.fixture.ts';

/** A room with an assistant; gives the links to it, as the console makes them. */
export async function openRoom(live: Live, provider: VoiceProvider, more: object = {}) {
  const settings = { aiSecretKey: 'sk-0123456789abcdef', aiBaseURL: provider.baseURL };
  await live.post('/terraform/v1/mgmt/openai/update', settings);
  const { data: made } = await live.post('/terraform/v1/live/room/create', { title: 'Talk' });
  const change = { uuid: made.uuid, aiName: 'Ada', assistant: true, aiAsrLanguage: 'en', ...more };
  const { data: room } = await live.post('/terraform/v1/live/room/update', change);
  const given = { app: 'ai-talk', popout: '1', room: room.uuid, roomToken: room.roomToken };
  return (query: Record<string, string>) =>
    `${live.weir.origin}/mgmt/en/routers-popout?${new URLSearchParams({ ...given, ...query })}`;
}
