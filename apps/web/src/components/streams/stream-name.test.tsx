import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { randomStreamName, saveStreamName, useStreamName } from './stream-name.ts';

it('creates stream names of six lower-case letters', () => {
  for (let round = 0; round < 200; round += 1) expect(randomStreamName()).toMatch(/^[a-p]{6}$/);
  const bytes = [0x0a, 0x0b, 0x0f, 0x03, 0x0f, 0x09, 0x00, 0x1c];
  expect(randomStreamName(() => bytes.shift() ?? 0)).toBe('abfpac');
});

it('shares a changed stream name with all screens and tabs', () => {
  const Name = () => <p>{useStreamName()}</p>;
  render(
    <>
      <Name />
      <Name />
    </>,
  );
  expect(screen.getAllByText('livestream')).toHaveLength(2);
  act(() => saveStreamName('abcdef'));
  expect(localStorage.getItem('SRS_STREAM_NAME')).toBe('abcdef');
  expect(screen.getAllByText('abcdef')).toHaveLength(2);
  act(() => {
    localStorage.setItem('SRS_STREAM_NAME', 'elsewhere');
    window.dispatchEvent(new StorageEvent('storage', { key: 'SRS_STREAM_NAME' }));
  });
  expect(screen.getAllByText('elsewhere')).toHaveLength(2);
});
