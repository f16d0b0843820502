import { act, renderHook, waitFor } from '@testing-library/react';
import { helloVoices } from '@weir/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { roomAudio } from '../use-conversation.ts';
import { useVoice, useWakeLock } from './use-voice.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'mediaDevices');
  Reflect.deleteProperty(navigator, 'wakeLock');
  Reflect.deleteProperty(navigator, 'permissions');
});

function give(name: string, value: unknown): void {
  Object.defineProperty(navigator, name, { value, configurable: true });
}

it.each([
  ['NotAllowedError', 'denied'],
  ['NotFoundError', 'missing'],
  ['NotReadableError', 'busy'],
  ['TypeError', 'failed'],
])('maps the browser error %s to the state %s', async (name, state) => {
  vi.stubGlobal('isSecureContext', true);
  const getUserMedia = () => Promise.reject(Object.assign(new Error('no'), { name }));
  give('mediaDevices', { getUserMedia, removeEventListener: () => undefined });
  const { result } = renderHook(() => useVoice({ source: undefined, onUtterance: () => undefined }));
  expect(result.current.microphone.state).toBe('closed');
  await act(() => result.current.microphone.open());
  expect(result.current.microphone).toMatchObject({ state, detail: 'no' });
});

it('opens the microphone once it is allowed in the browser settings', async () => {
  vi.stubGlobal('isSecureContext', true);
  const names = ['NotAllowedError', 'NotFoundError'];
  const getUserMedia = () => Promise.reject(Object.assign(new Error('no'), { name: names.shift() }));
  give('mediaDevices', { getUserMedia, removeEventListener: () => undefined });
  const permission: { state: string; onchange?: () => void } = { state: 'denied' };
  give('permissions', { query: async () => permission });
  const { result } = renderHook(() => useVoice({ source: undefined, onUtterance: () => undefined }));
  await act(() => result.current.microphone.open());
  expect(result.current.microphone.state).toBe('denied');
  permission.state = 'granted';
  act(() => permission.onchange?.());
  await waitFor(() => expect(result.current.microphone.state).toBe('missing'));
});

it('says that a page without HTTPS gets no microphone', async () => {
  vi.stubGlobal('isSecureContext', false);
  const { result } = renderHook(() => useVoice({ source: undefined, onUtterance: () => undefined }));
  await act(() => result.current.microphone.open());
  expect(result.current.microphone.state).toBe('insecure');
});

it('loads the audio of a room with its token, and a greeting without', async () => {
  const asked: string[] = [];
  const fetch = (address: string) => {
    asked.push(address);
    return Promise.resolve(new Response('audio'));
  };
  vi.stubGlobal('fetch', fetch);
  const audio = roomAudio({ room: 'r', roomToken: 't&t', sid: 's', spid: 'p' });
  const { signal } = new AbortController();
  expect((await audio.load('a', signal)).byteLength).toBe(5);
  await audio.load(helloVoices[0], signal);
  audio.drop(helloVoices[0]);
  expect(asked).toEqual([
    '/terraform/v1/ai-talk/subscribe/tts?room=r&roomToken=t%26t&sid=s&spid=p&asid=a',
    '/terraform/v1/ai-talk/stage/hello-voices/hello-english.aac',
  ]);
});

it('holds a wake lock while visible and releases it', async () => {
  const locks: { released: boolean; release: () => Promise<unknown> }[] = [];
  const request = async () => {
    const lock = { released: false, release: () => Promise.resolve(Object.assign(lock, { released: true })) };
    locks.push(lock);
    return lock;
  };
  give('wakeLock', { request });
  const { rerender, unmount } = renderHook(({ isWanted }) => useWakeLock(isWanted), {
    initialProps: { isWanted: true },
  });
  await waitFor(() => expect(locks).toHaveLength(1));
  await locks[0]?.release();
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(locks).toHaveLength(2));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(locks).toHaveLength(2);
  rerender({ isWanted: false });
  await waitFor(() => expect(locks[1]?.released).toBe(true));
  unmount();
});
