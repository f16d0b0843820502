import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { AiAnswerer } from '@weir/contract';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { FakeServer } from '../../../testing/fake-server.ts';
import { ProviderChoice } from './provider-choice.tsx';
import type { ProviderFacts } from './provider-problem.ts';

const path = '/terraform/v1/ai/provider/answerers';

function show(first: ProviderFacts) {
  const server = new FakeServer();
  const nobody: AiAnswerer = { by: 'nobody', host: '', cause: 'unsupported-language' };
  server.answers.set(path, ({ body }) => {
    const isBuiltIn = (body as ProviderFacts).baseURL === 'http://built-in/v1';
    const transcribe = isBuiltIn ? nobody : { by: 'provider', host: 'api.example', cause: null };
    return { body: { code: 0, data: { transcribe, chat: nobody, see: nobody, speak: nobody }, server: 1 } };
  });
  const held: { value: ProviderFacts } = { value: first };
  function Harness() {
    const [value, setValue] = useState(first);
    held.value = value;
    return (
      <ProviderChoice
        value={value}
        onEdit={(change) => setValue((before) => ({ ...before, ...change }))}
        problem={undefined}
        needs={['transcribe']}
        language="zh"
      />
    );
  }
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <Harness />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { server, held, user: userEvent.setup() };
}

it('names the recipient of data and does not copy the default provider', async () => {
  const { held, user, server } = show({ secretKey: '', baseURL: '', organization: '' });
  expect(await screen.findByText('Sent to api.example')).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Built-in AI' }));
  expect(await screen.findByText("Not available. Built-in AI doesn't support this language.")).toBeTruthy();
  expect(held.value).toEqual({ secretKey: '', baseURL: 'http://built-in/v1', organization: '' });
  expect(server.callsTo(path).map(({ body }) => body)).toContainEqual({
    secretKey: '',
    baseURL: 'http://built-in/v1',
    organization: '',
    language: 'zh',
  });
  await user.click(screen.getByRole('radio', { name: 'Default provider' }));
  expect(held.value).toEqual({ secretKey: '', baseURL: '', organization: '' });
});

it('offers presets and does not carry a key to another host', async () => {
  const { held, user } = show({ secretKey: 'sk-1', baseURL: 'https://api.openai.com/v1', organization: '' });
  const preset = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Provider' });
  expect(preset.value).toBe('openai');
  await user.selectOptions(preset, 'Ollama');
  expect(held.value).toMatchObject({ secretKey: 'none', baseURL: 'http://localhost:11434/v1' });
  await user.selectOptions(preset, 'OpenAI');
  expect(held.value).toMatchObject({ secretKey: '', baseURL: 'https://api.openai.com/v1' });
});

it('keeps the own provider selected while its address is replaced', async () => {
  const { held, user } = show({ secretKey: 'sk-1', baseURL: 'https://a.example/v1', organization: '' });
  const field = screen.getByLabelText('Base URL');
  await user.clear(field);
  expect(screen.getByRole('radio', { name: 'Own provider' })).toHaveProperty('checked', true);
  await user.click(field);
  await user.paste('http://b.example/v1');
  expect(held.value).toEqual({ secretKey: 'sk-1', baseURL: 'http://b.example/v1', organization: '' });
});
