import { type AiAnswerer, TranscriptConfig, type TranscriptStream, transcriptDefaults } from '@weir/contract';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

export const api = (name: string) => `/terraform/v1/ai/${name}`;
export const builtIn: AiAnswerer = { by: 'built-in', host: '', cause: null };
export const stopped = {
  state: 'off',
  since: '',
  failures: 0,
  starts: 0,
  failure: null,
  nextTry: '',
  lastExit: null,
  numbers: null,
} as const;
export const idle: TranscriptStream = {
  uuid: 'task-1',
  wanted: '',
  stream: '',
  process: stopped,
  delayMs: null,
  cause: null,
  captions: false,
  translations: [],
  dropped: 0,
  failures: 0,
  lostSegments: 0,
  passedSegments: 0,
  live: 0,
  asr: 0,
  fix: 0,
  overlay: 0,
};
export const running: TranscriptStream = {
  ...idle,
  stream: 'live/show',
  delayMs: 1400,
  live: 1,
  asr: 1,
  fix: 2,
  overlay: 9,
  process: { ...stopped, state: 'live', since: new Date().toISOString(), starts: 1 },
};
export const saved = TranscriptConfig.parse({ all: true, lang: 'en', ...transcriptDefaults });

export function newServer(config = TranscriptConfig.parse({}), stream = idle, provider = builtIn) {
  const queues = ['live-queue', 'asr-queue', 'fix-queue', 'overlay-queue'];
  const server = new FakeServer()
    .answer('streams/query', { streams: [activeStream()] })
    .answer(api('transcript/query'), { config, task: { uuid: 'task-1' } })
    .answer(api('transcript/state'), { provider, translator: null, streams: [stream] })
    .answer(api('transcript/languages'), {
      languages: [
        { code: 'en', name: 'English' },
        { code: 'de', name: 'Deutsch' },
      ],
    })
    .answer(api('provider/answerers'), { transcribe: provider, chat: provider, see: provider, speak: provider })
    .answer(api('transcript/apply'), { uuid: 'task-1' })
    .answer(api('transcript/reset'), { uuid: 'task-2' })
    .answer(api('transcript/lines'), { lines: [], growing: '' })
    .answer(api('transcript/edit'), { uuid: 'task-1' })
    .answer(api('transcript/clear-subtitle'), { uuid: 'task-1' });
  for (const queue of queues) server.answer(api(`transcript/${queue}`), { segments: [], count: 0 });
  return server;
}

export function openTab() {
  saveCredentials(session);
  return renderConsole('/en/routers-scenario?tab=transcript');
}
