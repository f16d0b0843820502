import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { MicrophonePad } from './microphone-pad.tsx';
import type { MicrophoneState, VoiceMicrophone } from './voice/voice-types.ts';

const heard: string[] = [];

/** Fake microphone that logs the calls of the page. */
function Stage({ state, isDraft }: { state: MicrophoneState; isDraft: boolean }) {
  const [isRecording, setIsRecording] = useState(false);
  const [isHandsFree, setHandsFree] = useState(false);
  const microphone: VoiceMicrophone = {
    state,
    detail: '',
    deviceId: 'one',
    isRecording,
    isHandsFree,
    setHandsFree,
    devices: [
      { id: 'one', label: 'Built-in' },
      { id: 'two', label: '' },
    ],
    level: { subscribe: () => () => undefined },
    open: async () => heard.push('open') > 0,
    choose: async (id) => heard.push(`choose ${id}`) > 0,
    close: () => undefined,
    cancel: () => undefined,
    markTranscribed: () => undefined,
    begin: () => {
      heard.push('begin');
      setIsRecording(true);
    },
    end: () => {
      heard.push('end');
      setIsRecording(false);
    },
  };
  return (
    <MantineProvider>
      <input aria-label="text" />
      <MicrophonePad microphone={microphone} isDraft={isDraft} />
    </MantineProvider>
  );
}

function show(state: MicrophoneState = 'ready', isDraft = false) {
  heard.length = 0;
  render(<Stage state={state} isDraft={isDraft} />);
  return userEvent.setup();
}

const talkButton = () => screen.getByRole('button', { name: 'Hold to talk' });

it('records only while a finger, a mouse button or a key is held', async () => {
  const user = show();
  fireEvent.pointerDown(talkButton(), { button: 0, pointerId: 1 });
  expect(talkButton().getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByText('Listening. Release to send.')).toBeDefined();
  fireEvent.pointerUp(talkButton(), { pointerId: 1 });
  fireEvent.pointerDown(talkButton(), { button: 2, pointerId: 1 });
  for (const key of ['r', '\\', ' ']) {
    fireEvent.keyDown(document.body, { key });
    fireEvent.keyDown(document.body, { key, repeat: true });
    fireEvent.keyUp(document.body, { key });
  }
  expect(heard.join(' ')).toBe('begin end begin end begin end begin end');
  heard.length = 0;
  fireEvent.keyDown(document.body, { key: ' ' });
  fireEvent.blur(window);
  expect(heard).toEqual(['begin', 'end']);
  heard.length = 0;
  await user.type(screen.getByRole('textbox', { name: 'text' }), 'r \\');
  fireEvent.keyDown(document.body, { key: 'r', ctrlKey: true });
  expect(heard).toEqual([]);
});

it('works by keyboard: space holds, Enter starts and stops', async () => {
  const user = show();
  talkButton().focus();
  await user.keyboard('[Space>]');
  expect(heard).toEqual(['begin']);
  await user.keyboard('[/Space]');
  await user.keyboard('{Enter}');
  await user.keyboard('{Enter}');
  expect(heard).toEqual(['begin', 'end', 'begin', 'end']);
});

it('ignores keys in hands-free mode and offers all devices', async () => {
  const user = show();
  await user.click(screen.getByRole('checkbox', { name: 'Hands-free' }));
  expect(screen.getByText('Hands-free: just talk.')).toBeDefined();
  fireEvent.keyDown(document.body, { key: ' ' });
  expect(heard).toEqual([]);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Microphone' }), 'Microphone 2');
  expect(heard).toEqual(['choose two']);
});

it.each([
  ['denied', /Access was denied/],
  ['missing', /No microphone was found/],
  ['busy', /Another app is using it/],
  ['lost', /It was disconnected/],
  ['failed', /The browser reported an error/],
] as const)('explains the microphone state %s and retries', async (state, words) => {
  vi.stubGlobal('isSecureContext', true);
  const user = show(state);
  expect(screen.getByText(words)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(heard).toEqual(['open']);
  vi.unstubAllGlobals();
});

it('explains a page without HTTPS', () => {
  show('insecure');
  expect(screen.getByText('The microphone needs HTTPS')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

it('says that the text can be checked first if the owner allows it', () => {
  show('ready', true);
  fireEvent.pointerDown(talkButton(), { button: 0, pointerId: 1 });
  expect(screen.getByText('Listening. Release to check the text.')).toBeDefined();
});
