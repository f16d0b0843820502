import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ImportReport } from '@weir/contract';
import { expect, it } from 'vitest';
import { Providers } from '../../app/providers.tsx';
import { saveCredentials } from '../../lib/credentials.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { FakeServer, session } from '../../testing/fake-server.ts';
import { ImportPanel } from './import-panel.tsx';

const report: ImportReport = {
  taken: [{ subject: 'forward', name: '10', note: 'off', fact: '' }],
  left: [
    { subject: 'port', name: '1936', note: 'setVariable', fact: 'WEIR_RTMP_LISTEN=1936' },
    { subject: 'hls', name: '', note: 'isSet', fact: '' },
  ],
};

it('asks for a file, says what is imported and what not and why, and imports only after a confirmation', async () => {
  const server = new FakeServer().answer('imports/inspect', report);
  saveCredentials(session);
  render(
    <Providers queries={createQueryClient()}>
      <ImportPanel />
    </Providers>,
  );
  const user = userEvent.setup();
  await user.selectOptions(await screen.findByLabelText('Server'), 'nginx-rtmp');
  expect(screen.getByText('Usually nginx.conf, with its rtmp block.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  expect(screen.getByText('Choose a configuration file.')).toBeDefined();
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('no file input');
  await user.upload(input, new File(['x'.repeat(500_001)], 'nginx.conf'));
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  expect(screen.getByText(/larger than 500 KB/)).toBeDefined();
  await user.upload(input, new File(['rtmp { }'], 'nginx.conf'));
  await user.click(screen.getByRole('checkbox', { name: 'Overwrite settings of this server' }));
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  const taken = await screen.findByRole('region', { name: 'Will be imported' });
  expect(taken.textContent).toContain('Forward 10imported as off');
  const left = screen.getByRole('region', { name: 'Will not be imported' });
  expect(left.textContent).toContain('Port 1936set WEIR_RTMP_LISTEN=1936 in the environment');
  expect(left.textContent).toContain('already set on this server');
  expect(server.callsTo('imports/inspect')[0]?.body).toEqual({
    format: 'nginx-rtmp',
    text: 'rtmp { }',
    replaces: true,
  });
  await user.click(screen.getByRole('button', { name: 'Import' }));
  expect(await screen.findByRole('dialog', { name: 'Import these settings?' })).toBeDefined();
  expect(server.callsTo('imports/apply')).toEqual([]);
});
