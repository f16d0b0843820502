import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { StatePill } from '../feedback/state-pill.tsx';
import { DefaultHead, PageHead } from './page-head.tsx';

function renderPage(page: ReactNode, address = '/') {
  render(
    <MantineProvider>
      <MemoryRouter initialEntries={[address]}>{page}</MemoryRouter>
    </MantineProvider>,
  );
  return userEvent.setup();
}

const help = { panel: '1', content: <p>How it works</p> };

it('a page is named in its heading and, with its state, in the browser tab', () => {
  renderPage(
    <PageHead title="Forward" state={<StatePill tone="bad" word="1 failing" />} purpose="Send a stream on." />,
  );
  expect(screen.getByRole('heading', { level: 1, name: 'Forward' })).toBeDefined();
  expect(screen.getByText('1 failing')).toBeDefined();
  expect(screen.getByText('Send a stream on.')).toBeDefined();
  expect(document.title).toMatch(/^Forward · 1 failing/);
});

it('the default head gives way to the one of the content, and returns after it', async () => {
  function Content() {
    const [hasHead, setHasHead] = useState(true);
    return (
      <>
        {hasHead && <PageHead title="live/show" />}
        <button type="button" onClick={() => setHasHead(!hasHead)}>
          toggle
        </button>
      </>
    );
  }
  const user = renderPage(
    <DefaultHead title="Live guide" purpose="Go live.">
      <Content />
    </DefaultHead>,
  );
  expect(screen.getAllByRole('heading', { level: 1 }).map((one) => one.textContent)).toEqual(['live/show']);
  expect(document.title).toMatch(/^live\/show/);
  await user.click(screen.getByRole('button', { name: 'toggle' }));
  expect(screen.getAllByRole('heading', { level: 1 }).map((one) => one.textContent)).toEqual(['Live guide']);
  expect(document.title).toMatch(/^Live guide/);
});

it('help is behind a button, under its key of the specification', async () => {
  const user = renderPage(<PageHead title="Forward" help={help} />);
  expect(screen.queryByText('How it works')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'About Forward' }));
  const drawer = await screen.findByRole('dialog', { name: 'About Forward' });
  expect(within(drawer).getByText('How it works').closest('[data-key]')?.getAttribute('data-key')).toBe('1');
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('an address with the key of the panel opens help', async () => {
  renderPage(<PageHead title="Forward" help={help} />, '/#panel-1');
  expect(await screen.findByRole('dialog', { name: 'About Forward' })).toBeDefined();
});

it('help that starts open is on the page until it is closed', async () => {
  const user = renderPage(<PageHead title="Forward" help={{ ...help, isOpen: true }} />);
  const open = screen.getByRole('region', { name: 'About Forward' });
  expect(within(open).getByText('How it works')).toBeDefined();
  await user.click(within(open).getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('How it works')).toBeNull();
  expect(screen.getByRole('button', { name: 'About Forward' })).toBeDefined();
});
