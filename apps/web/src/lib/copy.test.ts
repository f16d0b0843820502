import { afterEach, expect, it, vi } from 'vitest';
import { copyText } from './copy.ts';

function giveClipboard(clipboard: unknown): void {
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
}

function giveCopyCommand(result: boolean): string[] {
  const copied: string[] = [];
  document.execCommand = () => {
    const area = document.querySelector('textarea');
    if (area) copied.push(area.value);
    return result;
  };
  return copied;
}

afterEach(() => giveClipboard(undefined));

it('uses the clipboard API if available', async () => {
  const writeText = vi.fn(async () => undefined);
  giveClipboard({ writeText });
  await copyText('rtmp://x');
  expect(writeText).toHaveBeenCalledWith('rtmp://x');
});

it('copies from a hidden field over plain HTTP and removes it', async () => {
  giveClipboard(undefined);
  const copied = giveCopyCommand(true);
  const button = document.createElement('button');
  document.body.append(button);
  button.focus();
  await copyText('rtmp://x');
  expect(copied).toEqual(['rtmp://x']);
  expect(document.querySelector('textarea')).toBeNull();
  expect(document.activeElement).toBe(button);
  button.remove();
});

it('rejects with the reason of the failed copy', async () => {
  giveClipboard(undefined);
  giveCopyCommand(false);
  await expect(copyText('x')).rejects.toMatchObject({ reason: 'plain-http', detail: '' });
  giveClipboard({ writeText: () => Promise.reject(new DOMException('Document is not focused.', 'NotAllowedError')) });
  await expect(copyText('x')).rejects.toMatchObject({ reason: 'refused', detail: 'Document is not focused.' });
});

it('falls back to execCommand if the clipboard refuses', async () => {
  giveClipboard({ writeText: () => Promise.reject(new Error('no')) });
  const copied = giveCopyCommand(true);
  await copyText('x');
  expect(copied).toEqual(['x']);
});
