import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useDialogFocus } from './use-dialog-focus.ts';

function Page({ isBusy }: { isBusy: boolean }) {
  useDialogFocus();
  return (
    <>
      <button type="button">Behind</button>
      <div role="dialog" aria-modal="true">
        <button type="button">Close</button>
        <button type="button" disabled={isBusy}>
          Test
        </button>
        <input aria-label="Name" />
      </div>
    </>
  );
}

const button = (name: string) => screen.getByRole('button', { name });
/** What the browser does with Tab, which a page without a browser does not. */
const pressTab = (next: HTMLElement, shiftKey = false) => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Tab', shiftKey });
  next.focus();
};

it.each([
  [false, () => button('Close')],
  [true, () => screen.getByRole('textbox', { name: 'Name' })],
])(
  'Tab leads back into a dialog that lost the focus when its button was disabled (backwards: %s)',
  async (shiftKey, expected) => {
    const { rerender } = render(<Page isBusy={false} />);
    button('Test').focus();
    // A browser does this by itself to a button that is disabled.
    button('Test').blur();
    rerender(<Page isBusy={true} />);
    expect(document.activeElement).toBe(document.body);
    pressTab(button('Behind'), shiftKey);
    await vi.waitFor(() => expect(document.activeElement).toBe(expected()));
  },
);

it('Tab goes where the browser leads it inside a dialog, and on a page without one', async () => {
  const { unmount } = render(<Page isBusy={false} />);
  pressTab(button('Test'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.activeElement).toBe(button('Test'));
  unmount();

  const Plain = () => {
    useDialogFocus();
    return <button type="button">Alone</button>;
  };
  render(<Plain />);
  pressTab(button('Alone'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.activeElement).toBe(button('Alone'));
});
