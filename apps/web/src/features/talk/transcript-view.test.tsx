import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { TalkProblem } from './session/talk-problem.ts';
import { TranscriptView } from './transcript-view.tsx';

function show(problem: TalkProblem) {
  const waiting = { onRetry: vi.fn(), onDiscard: vi.fn(), onType: vi.fn() };
  const utterance = {
    id: 'u1',
    text: '',
    audio: 'AAAA',
    heard: '',
    caption: '',
    isDraft: false,
    milliseconds: 900,
    mergeMessages: 0,
    at: '2026-03-01T08:00:00.000Z',
    state: 'failed',
    rid: 'r1',
    isUnsure: false,
    tries: 1,
    problem,
  } as const;
  render(
    <MantineProvider>
      <TranscriptView
        rows={[{ kind: 'waiting', utterance }]}
        caption=""
        turns={{ nameOf: () => '', playing: '', onStop: vi.fn(), silent: new Set() }}
        waiting={{ you: 'You', isOffline: false, isOver: false, ...waiting }}
        empty=""
        now=""
      />
    </MantineProvider>,
  );
  return waiting;
}

it.each([
  ['de-AT', 'Gesprochenes Deutsch wird hier nicht verstanden. Bitte schreiben Sie.'],
  ['zh', '这里无法识别中文语音，请改为打字。'],
  ['yo', "Spoken messages in this language can't be understood here. Please type instead."],
])('tells a guest in %s that this language is not understood, and leads to the text input', async (id, text) => {
  const { onRetry, onDiscard, onType } = show({ kind: 'language', id, message: '' });
  expect(screen.getByText(text)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Type instead' }));
  expect([onDiscard.mock.calls, onType.mock.calls.length, onRetry.mock.calls.length]).toEqual([[['u1']], 1, 0]);
});

it('offers speech that was not heard well to be sent again', async () => {
  const { onRetry } = show({ kind: 'unheard', id: '', message: '' });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledWith('u1');
});
