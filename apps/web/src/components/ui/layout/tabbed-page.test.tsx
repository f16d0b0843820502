import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter } from 'react-router';
import { expect, it } from 'vitest';
import type { TabDefinition } from '../../../lib/feature.ts';
import { lazyScreen } from '../../../lib/lazy.ts';
import { TabbedPage } from './tabbed-page.tsx';

const tab = (id: string, title: TabDefinition['title']): TabDefinition => ({
  id,
  title,
  group: 'nav.groupAccess',
  panel: lazyScreen(async () => () => <input aria-label={`field of ${id}`} />),
});
const tabs = [tab('one', 'settings.tabAuth'), tab('two', 'settings.tabFooter')] as const;

function renderTabs(search: string) {
  window.history.replaceState(null, '', `/page${search}`);
  render(
    <MantineProvider>
      <BrowserRouter useTransitions={false}>
        <TabbedPage tabs={[...tabs]} />
      </BrowserRouter>
    </MantineProvider>,
  );
  return userEvent.setup();
}

it('opens the first tab for an unknown name and reports it', async () => {
  renderTabs('?tab=nonsense');
  expect(screen.getByText('There is no section called “nonsense”. Showing Authentication instead.')).toBeDefined();
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Authentication');
  expect(await screen.findByLabelText('field of one')).toBeDefined();
});

it('shows no notice if the address names no tab', async () => {
  renderTabs('');
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Authentication');
  expect(screen.queryByText(/There is no section/)).toBeNull();
});

it('replaces the whole query and supports Back', async () => {
  const user = renderTabs('?tab=one&roomid=7');
  await user.click(screen.getByRole('tab', { name: 'Site texts' }));
  expect(window.location.search).toBe('?tab=two');
  expect(await screen.findByRole('tabpanel', { name: 'Site texts' })).toBeDefined();
  act(() => window.history.back());
  expect(await screen.findByRole('tabpanel', { name: 'Authentication' })).toBeDefined();
  expect(window.location.search).toBe('?tab=one&roomid=7');
});

it('keeps typed text in a hidden tab', async () => {
  const user = renderTabs('?tab=one');
  await user.type(await screen.findByLabelText('field of one'), 'typed');
  await user.click(screen.getByRole('tab', { name: 'Site texts' }));
  await screen.findByLabelText('field of two');
  await user.click(screen.getByRole('tab', { name: 'Authentication' }));
  expect(await screen.findByLabelText('field of one')).toHaveProperty('value', 'typed');
});

it('moves the focus with arrow keys and opens a tab with Space', async () => {
  const user = renderTabs('?tab=one');
  screen.getByRole('tab', { name: 'Authentication' }).focus();
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Site texts' }));
  expect(window.location.search).toBe('?tab=one');
  await user.keyboard(' ');
  expect(window.location.search).toBe('?tab=two');
});
