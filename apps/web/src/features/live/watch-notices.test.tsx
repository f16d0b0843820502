import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { activeStream } from '../../testing/fake-server.ts';
import { WatchNotices } from './watch-notices.tsx';

const title = 'Connected, but the codecs are not supported';
const empty = { protocol: 'rtmp', address: '', viewers: 0, kbps: 0, fps: 0, video: null, audio: null, bFrames: false };
const audio = { codec: 'AAC', sampleRate: 44_100, channels: 2 };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function show(media: typeof empty | { audio: typeof audio }) {
  const stream = activeStream({ media: { ...empty, ...media } });
  render(<WatchNotices state={{ kind: 'live', stream, refused: undefined }} name="show" />);
}

it('blames the codecs only after some seconds without a readable track', () => {
  show(empty);
  act(() => vi.advanceTimersByTime(5000));
  expect(screen.queryByText(title)).toBeNull();
  act(() => vi.advanceTimersByTime(2000));
  expect(screen.getByText(title)).toBeDefined();
});

it('accepts a stream with audio only', () => {
  show({ audio });
  act(() => vi.advanceTimersByTime(10_000));
  expect(screen.queryByText(title)).toBeNull();
});

it('warns of B-frames where video is converted for WebRTC', () => {
  const stream = activeStream({
    media: { ...empty, audio, bFrames: true, webrtc: { video: 'converted', audio: 'converted', reason: '' } },
  });
  render(<WatchNotices state={{ kind: 'live', stream, refused: undefined }} name="show" />);
  expect(screen.getByText('The encoder sends B-frames')).toBeDefined();
});
