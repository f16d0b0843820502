import { screen, waitFor, within } from '@testing-library/react';
import type { OwnedPage } from '@weir/contract';
import { streamSampleFields } from '@weir/streams';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const samples = { at: [], columns: Object.fromEntries(streamSampleFields.map((field) => [field, []])) };
const owned: OwnedPage = {
  playback: 'abcdefgh23456723',
  page: {
    title: 'Concert',
    description: '',
    accent: '',
    links: [],
    showsViewers: false,
    allowsSharing: true,
    isIndexed: false,
    isListed: false,
    startsAt: '',
    endsAt: '',
  },
  pictures: { poster: '', logo: '', background: '' },
};

// The page in the preview belongs to a server, which tests of components do not have.
Object(window).happyDOM.settings.disableIframePageLoading = true;

async function openSection() {
  const server = new FakeServer()
    .answer('envs', { rtmpPort: '1935', srtPort: '10080', httpPort: '2022', rtcPort: '8000' })
    .answer('streams/query', { streams: [activeStream()], ended: [] })
    .answer('streams/detail', { samples, diagnosis: { verdict: 'none', issues: [] }, viewers: [] })
    .answer('access/query', { rules: [] })
    .answer('access/links', { links: [] })
    .answer('watch/query', owned)
    .answer('watch/update', owned)
    .answer('watch/channel/query', { isOn: false, title: '', description: '' })
    .answer('watch/channel/update', { isOn: true, title: '', description: '' });
  saveCredentials(session);
  const user = renderConsole('/en/routers-scenario?tab=live&stream=live/show');
  await user.click(await screen.findByRole('button', { name: /^Share/ }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Share live/show' }));
  const section = within(await sheet.findByRole('region', { name: 'Watch page' }));
  return { server, user, section };
}

it('shows the address of the watch page and the page itself, without the name of the stream', async () => {
  const { section } = await openSection();
  const link = await section.findByLabelText<HTMLInputElement>('Page URL');
  expect(link.value).toBe(`${window.location.origin}/watch/abcdefgh23456723`);
  expect(section.getByTitle('Preview of the watch page')).toHaveProperty('src', `${link.value}?preview=1`);
});

it('saves the page only with links that visitors may follow', async () => {
  const { server, user, section } = await openSection();
  await user.click(await section.findByRole('button', { name: 'Edit watch page' }));
  const title = section.getAllByLabelText('Title')[0];
  if (!title) throw new Error('there is no title');
  await user.type(title, ' tonight');
  await user.click(section.getByRole('button', { name: 'Add link' }));
  await user.type(section.getByLabelText('Name of link 1'), 'Programme');
  await user.type(section.getByLabelText('URL of link 1'), 'javascript:alert(1)');
  const form = within(section.getByRole('form', { name: 'Edit watch page' }));
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await section.findByText('Enter a URL with https://, http:// or mailto:')).toBeTruthy();
  expect(server.callsTo('watch/update')).toEqual([]);
  await user.clear(section.getByLabelText('URL of link 1'));
  await user.type(section.getByLabelText('URL of link 1'), 'https://example.com/');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.callsTo('watch/update')).toHaveLength(1));
  expect(server.callsTo('watch/update')[0]?.body).toMatchObject({
    stream: 'show',
    page: { title: 'Concert tonight', links: [{ name: 'Programme', url: 'https://example.com/' }] },
  });
});

it('switches the channel page on', async () => {
  const { server, user, section } = await openSection();
  await user.click(await section.findByText('Channel page'));
  await user.click(await section.findByLabelText('Channel page on'));
  const form = within(section.getByRole('form', { name: 'Channel page' }));
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.callsTo('watch/channel/update')[0]?.body).toMatchObject({ isOn: true }));
});
