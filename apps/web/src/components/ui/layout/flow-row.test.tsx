import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { ActionBar } from './action-bar.tsx';
import { FlowList, FlowRow } from './flow-row.tsx';
import { SideSheet } from './side-sheet.tsx';

it('a row shows source, destination and state, and offers the remedy', () => {
  render(
    <FlowList label="Destinations" heads={['Destination', 'State', 'Bitrate', 'On']}>
      <FlowRow picture={null} name="YouTube" way="live/show → a.rtmp.youtube.com" state="Live" bitrate="6 Mbit/s" />
      <FlowRow picture={null} name="Twitch" state="Failing">
        <button type="button">Replace key</button>
      </FlowRow>
    </FlowList>,
  );
  const [first, second] = within(screen.getByRole('list', { name: 'Destinations' })).getAllByRole('listitem');
  expect(first?.textContent).toBe('YouTubelive/show → a.rtmp.youtube.comLive6 Mbit/s');
  expect(second && within(second).getByRole('button', { name: 'Replace key' })).toBeDefined();
});

it('the action bar marks what is not saved', () => {
  const { rerender } = render(<ActionBar primary={<button type="submit">Start</button>} state="Live" dirty />);
  expect(screen.getByText('Unsaved changes')).toBeDefined();
  rerender(<ActionBar primary={<button type="submit">Start</button>} state="Live" />);
  expect(screen.queryByText('Unsaved changes')).toBeNull();
});

it('the side sheet has the focus while it is open, and closes with Escape', async () => {
  const onClose = vi.fn();
  function Page() {
    const [isOpen, setIsOpen] = useState(true);
    const close = () => {
      onClose();
      setIsOpen(false);
    };
    return (
      <MantineProvider>
        <SideSheet
          opened={isOpen}
          onClose={close}
          title="Add destination"
          footer={<button type="button">Start</button>}
        >
          <input aria-label="Stream key" data-autofocus />
        </SideSheet>
      </MantineProvider>
    );
  }
  render(<Page />);
  const user = userEvent.setup();
  const sheet = await screen.findByRole('dialog', { name: 'Add destination' });
  await expect.poll(() => document.activeElement).toBe(within(sheet).getByLabelText('Stream key'));
  expect(within(sheet).getByRole('button', { name: 'Start' })).toBeDefined();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});
