import { screen, waitFor, within } from '@testing-library/react';
import { AiLimits } from '@weir/contract';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const ai = (path: string) => `/terraform/v1/ai/${path}`;
const nobody = { by: 'nobody', host: '', cause: 'no-provider' };
const noModels = { transcribe: '', chat: '', see: '', speak: '', voice: '' };

function open(baseURL: string) {
  const server = new FakeServer();
  saveCredentials(session);
  const provider = { aiSecretKey: baseURL === '' ? '' : '••••••••', aiBaseURL: baseURL, aiOrganization: '' };
  server
    .answer('openai/query', provider)
    .answer('openai/update', null)
    .answer('openai/remove', null)
    .answer(ai('models/query'), noModels)
    .answer(ai('models/update'), null)
    .answer(ai('provider/models'), { models: [] })
    .answer(ai('provider/answerers'), { transcribe: nobody, chat: nobody, see: nobody, speak: nobody })
    .answer(ai('usage/query'), { day: '2026-03-01', today: [], days: [], limits: AiLimits.parse({}), paused: [] });
  return { server, user: renderConsole('/en/routers-settings?tab=llm') };
}

it('finds a local server, and saves and tests it with the chosen model', async () => {
  const { server, user } = open('');
  server.answer(ai('provider/find'), { found: [] });
  await user.click(await screen.findByRole('button', { name: 'Find local servers' }));
  await screen.findByText('No AI server was found on this machine');

  const models = ['nomic-embed-text', 'qwen2.5:7b', 'llama3.2', 'whisper-base'];
  server.answer(ai('provider/find'), { found: [{ preset: 'ollama', baseURL: 'http://localhost:11434/v1', models }] });
  const works = { need: 'chat', works: true, by: 'provider', model: 'llama3.2', cause: null, delayMs: 20 };
  server.answer(ai('provider/test'), { host: 'localhost:11434', results: [works] });
  await user.click(screen.getByRole('button', { name: 'Find local servers' }));
  const found = within(await screen.findByRole('group', { name: 'Ollama' }));
  const select = found.getByRole<HTMLSelectElement>('combobox', { name: 'Model for chat and translation' });
  expect([...select.options].map(({ value }) => value)).toEqual(['qwen2.5:7b', 'llama3.2']);
  await user.selectOptions(select, 'llama3.2');
  await user.click(found.getByRole('button', { name: 'Use and test' }));
  await found.findByText('Ollama is the default provider now.');
  expect(found.getByText('Chat works')).toBeDefined();
  expect(server.callsTo('openai/update')[0]?.body).toEqual({
    aiSecretKey: 'none',
    aiBaseURL: 'http://localhost:11434/v1',
    aiOrganization: '',
  });
  expect(server.callsTo(ai('models/update'))[0]?.body).toEqual({
    ...noModels,
    chat: 'llama3.2',
    transcribe: 'whisper-base',
  });
});

it('removes the default provider after a confirmation', async () => {
  const { server, user } = open('http://ai.example.com:8000/v1');
  await user.click(await screen.findByRole('button', { name: 'Remove provider' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/The key for ai\.example\.com:8000/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Remove provider' }));
  await screen.findByText('Provider removed');
  await waitFor(() => expect(server.callsTo('openai/remove')).toHaveLength(1));
});
