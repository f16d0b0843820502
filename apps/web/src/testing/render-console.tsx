import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Fragment, type StrictMode } from 'react';
import { BrowserRouter } from 'react-router';
import { Boot } from '../app/boot.tsx';
import { Console } from '../app/console.tsx';
import { prefetchPage } from '../app/prefetch-page.ts';
import { Providers } from '../app/providers.tsx';
import { createQueryClient } from '../lib/query-client.ts';

/** Renders the whole console at an address, as main.tsx does. Strict mode runs every effect twice. */
export function renderConsole(address: string, Mode: typeof Fragment | typeof StrictMode = Fragment) {
  window.history.replaceState(null, '', `/mgmt${address}`);
  const queries = createQueryClient();
  const [pathname = '', search = ''] = address.split(/(?=\?)/);
  prefetchPage(queries, { pathname, search });
  render(
    <Mode>
      <Providers queries={queries}>
        <Boot>
          <BrowserRouter basename="/mgmt" useTransitions={false}>
            <Console />
          </BrowserRouter>
        </Boot>
      </Providers>
    </Mode>,
  );
  return userEvent.setup();
}

export function address(): string {
  return window.location.pathname.replace('/mgmt', '') + window.location.search;
}
