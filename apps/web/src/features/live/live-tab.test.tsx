import { screen, waitFor, within } from '@testing-library/react';
import type { PublishAttempt } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, publishSecret, runningStatus, session } from '../../testing/fake-server.ts';
import { address, renderConsole } from '../../testing/render-console.tsx';

const environment = { rtmpPort: '1935', srtPort: '10080', rtcPort: '8000', httpPort: '', platformDocker: false };
const media = {
  protocol: 'rtmp',
  address: '198.51.100.7',
  viewers: 3,
  viewersBy: { rtc: 2, flv: 0, hls: 1, rtmp: 0, srt: 0 },
  kbps: 2500,
  fps: 29.97,
  video: { codec: 'H264', profile: 'High', width: 1280, height: 720 },
  audio: { codec: 'AAC', sampleRate: 44_100, channels: 2 },
  bFrames: false,
  webrtc: { video: 'direct', audio: 'converted', reason: '' } as const,
};
const attempt: PublishAttempt = {
  vhost: '__defaultVhost__',
  app: 'live',
  stream: 'livestream',
  protocol: 'srt',
  address: '198.51.100.7',
  reason: 'secret-wrong',
  count: 3,
  at: '2026-01-01T00:00:00.000Z',
};

function server(envs: object = {}): FakeServer {
  return new FakeServer().answer('envs', { ...environment, ...envs });
}

/** Engine with SRT and WebRTC enabled. */
function offering(fake: FakeServer): FakeServer {
  const { engine } = runningStatus.health;
  const more = ['srt', 'rtc'].map((protocol) => ({ protocol, port: 1, ready: true, note: '' }));
  const health = { ...runningStatus.health, engine: { ...engine, listeners: [...engine.listeners, ...more] } };
  return fake.answer('status', { ...runningStatus, health });
}

async function openTab(query = '', locale = 'en') {
  saveCredentials(session);
  const user = renderConsole(`/${locale}/routers-scenario?tab=live${query}`);
  // The first test also waits until the tab's code is loaded.
  await screen.findByRole('heading', { level: 2, name: /^(How to publish|推流方式)$/ });
  /** Chooses a program, then a protocol where there are several. */
  const open = async (way: string, protocol?: string) => {
    await user.click(screen.getByRole('tab', { name: new RegExp(`^${way}`) }));
    if (protocol) await user.click(screen.getByRole('radio', { name: protocol }));
  };
  return { user, open };
}

describe('the publishing guides', () => {
  it('are chosen by program and protocol, OBS over RTMP first', async () => {
    server();
    const { open } = await openTab();
    const shown = () => document.querySelector('[data-key] h3')?.textContent;
    const ways = within(screen.getByRole('tablist', { name: 'How to publish' })).getAllByRole('tab');
    expect(ways.map((way) => way.textContent?.match(/^(OBS Studio|Phone|Browser|FFmpeg)/)?.[0])).toEqual([
      'OBS Studio',
      'Phone',
      'Browser',
      'FFmpeg',
    ]);
    expect(shown()).toBe('OBS over RTMP');
    expect(screen.getByRole('heading', { name: 'Open TCP/1935' })).toBeDefined();
    await open('FFmpeg', 'SRT');
    expect(shown()).toBe('FFmpeg over SRT');
    expect(screen.getByRole('heading', { name: 'Open UDP/10080' })).toBeDefined();
    expect(screen.queryByRole('heading', { name: 'Open TCP/1935' })).toBeNull();
    await open('Phone');
    expect(screen.getByLabelText('RTMP publish URL')).toHaveProperty('value', expect.stringContaining('••••••••'));
  });

  it.each([
    ['1', 'OBS over RTMP'],
    ['2', 'FFmpeg over RTMP'],
    ['3', 'OBS over SRT'],
    ['4', 'FFmpeg over SRT'],
    ['5', 'Browser via WebRTC (WHIP)'],
    ['6', 'OBS 30 or later via WebRTC (WHIP)'],
  ])("open at the specification's panel %s", async (key, title) => {
    server();
    await openTab(`#panel-${key}`);
    expect(document.querySelector(`#panel-${key}[data-key="${key}"] h3`)?.textContent).toBe(title);
  });

  it('show addresses with the secret masked, reveal it, and copy it in full', async () => {
    server();
    const { user } = await openTab();
    expect(screen.getByLabelText('Server')).toHaveProperty('value', 'rtmp://localhost/live/');
    const key = screen.getByLabelText('Stream key');
    expect(key).toHaveProperty('value', 'livestream?secret=••••••••');
    await user.click(screen.getByRole('button', { name: 'Copy Stream key' }));
    expect(await navigator.clipboard.readText()).toBe(`livestream?secret=${publishSecret}`);
    await user.click(screen.getByRole('button', { name: 'Show' }));
    expect(key).toHaveProperty('value', `livestream?secret=${publishSecret}`);
  });

  it('give the stream a new name that every address follows', async () => {
    server();
    const { user } = await openTab();
    const [rotate] = screen.getAllByRole('button', { name: 'Give the stream a new name' });
    if (rotate) await user.click(rotate);
    expect(await screen.findByText('The stream has a new name. Copy the URLs again.')).toBeDefined();
    const name = localStorage.getItem('SRS_STREAM_NAME') ?? '';
    expect(name).toMatch(/^[a-p]{6}$/);
    expect(screen.getByLabelText('Stream key')).toHaveProperty('value', `${name}?secret=••••••••`);
    expect(screen.getByLabelText('FLV URL')).toHaveProperty('value', expect.stringContaining(`/live/${name}.flv`));
  });

  it("keep the secret out of the viewers' URLs and QR codes", async () => {
    offering(server());
    const { user } = await openTab();
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');
    expect(links.filter((href) => href.startsWith('/tools/'))).toHaveLength(4);
    expect(links.some((href) => href.startsWith('/players/whep.html?schema=http'))).toBe(true);
    expect(links.filter((href) => href.includes(publishSecret))).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'QR code: HLS URL' }));
    expect(await screen.findByRole('img', { name: 'QR code: HLS URL' })).toBeDefined();
  });

  it('lead to the console of the media server in the language of the reader', async () => {
    server();
    await openTab('', 'zh');
    const link = await screen.findByRole('link', { name: '媒体服务器控制台' });
    expect(link.getAttribute('href')).toMatch(/^\/console\/ng_index\.html#\/summaries\?port=\d+&http=\d+$/);
  });

  it('say when the server offers neither SRT nor WebRTC', async () => {
    server();
    const { open } = await openTab();
    // Only a way that has no other protocol says so before it is chosen.
    expect(await screen.findAllByText('Unavailable')).toHaveLength(1);
    await open('OBS Studio', 'SRT');
    expect(screen.getByText('SRT is unavailable on this server')).toBeDefined();
    await open('OBS Studio', 'WebRTC');
    expect(screen.getByText('WebRTC is unavailable on this server')).toBeDefined();
  });

  it('show no warning while the server offers SRT and WebRTC', async () => {
    offering(server());
    const { open } = await openTab();
    await open('OBS Studio', 'SRT');
    expect(screen.queryByText('Unavailable')).toBeNull();
    expect(screen.queryByText('SRT is unavailable on this server')).toBeNull();
  });

  it('block publishing from localhost into a container', async () => {
    offering(server({ platformDocker: true, candidate: false }));
    const { open } = await openTab();
    await open('Browser');
    expect(screen.getByText("Publishing from localhost doesn't work on this server")).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Open publishing page' })).toBeNull();
    expect(screen.getAllByText(/^WebRTC playback doesn't work on localhost/)[0]).toBeDefined();
  });

  it('allow publishing from localhost with allow-lo-rtc=true', async () => {
    offering(server({ platformDocker: true, candidate: false }));
    const { open } = await openTab('&allow-lo-rtc=true');
    await open('Browser');
    expect(address()).toContain('allow-lo-rtc=true');
    expect(screen.queryByText("Publishing from localhost doesn't work on this server")).toBeNull();
    const link = screen.getByRole('link', { name: 'Open publishing page' });
    expect(link.getAttribute('href')).toMatch(/^\/players\/whip\.html\?schema=https&.*&secret=/);
  });
});

describe('the preview of the console', () => {
  it('requests a ticket, so that it does not count as a viewer', async () => {
    const streams = [activeStream({ stream: 'livestream', media })];
    const fake = server()
      .answer('streams/query', { streams })
      .answer('streams/preview', { query: 'weir-preview=t', expireAt: '' });
    await openTab();
    await waitFor(() => expect(fake.callsTo('streams/preview')).toHaveLength(1));
    expect(fake.callsTo('streams/preview')[0]?.body).toMatchObject({ app: 'live', stream: 'livestream' });
  });
});

describe('the panel that waits for a stream', () => {
  const panel = () => within(screen.getByRole('region', { name: 'Your stream' }));

  it('says that it waits', async () => {
    server();
    await openTab();
    expect(await screen.findByText('Waiting for your stream')).toBeDefined();
    expect(panel().getByText('Nothing arrives yet')).toBeDefined();
    expect(panel().getByText('live/livestream')).toBeDefined();
  });

  it('shows a refused publisher with protocol, address and remedy', async () => {
    server().answer('streams/attempts', { attempts: [attempt] });
    await openTab();
    expect(await panel().findByText('Publisher rejected: wrong publish secret')).toBeDefined();
    expect(
      panel().getByText(/^Over SRT from 198\.51\.100\.7\. Last attempt at \d\d:\d\d:\d\d, 3 in total\.$/),
    ).toBeDefined();
    expect(screen.getByText('Rejected')).toBeDefined();
  });

  it('says that a refused publisher used another name', async () => {
    server().answer('streams/attempts', { attempts: [{ ...attempt, stream: 'livestraem', reason: 'secret-missing' }] });
    await openTab();
    expect(await panel().findByText('Publisher rejected: publish secret missing')).toBeDefined();
    expect(panel().getByText(/another stream name, live\/livestraem/)).toBeDefined();
  });

  it('shows the player and facts of a live stream, and waits again after it ends', async () => {
    const fake = server().answer('streams/query', { streams: [activeStream({ stream: 'livestream', media })] });
    await openTab();
    expect(await screen.findByText('Live', { selector: '[role=status] *' })).toBeDefined();
    expect(await panel().findByRole('region', { name: /live\/livestream$/ })).toBeDefined();
    expect(panel().getByText('Video and audio are arriving.')).toBeDefined();
    expect(screen.queryByRole('tablist', { name: 'How to publish' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Show how to publish' })).toBeDefined();
    expect(panel().getByText('2 WebRTC, 1 HLS')).toBeDefined();
    expect(document.querySelectorAll('dl[aria-label="Live statistics"] > div')).toHaveLength(4);
    expect(panel().getByText('Details').closest('details')?.open).toBe(false);
    const steps = within(panel().getByRole('toolbar', { name: 'Next steps' }));
    expect(await steps.findByRole('button', { name: /^Copy watch link/ })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Open stream page' }).getAttribute('href')).toContain('stream=');
    expect(panel().getByText('RTMP from 198.51.100.7')).toBeDefined();
    expect(panel().getByText('H.264 High · 1280 × 720 · 30 fps')).toBeDefined();
    expect(panel().getByText('AAC · 44.1 kHz · stereo')).toBeDefined();
    expect(panel().getByText('Converted: audio')).toBeDefined();
    expect(panel().getByText('2.5 Mbit/s')).toBeDefined();
    const place = { vhost: '__defaultVhost__', app: 'live', stream: 'livestream' };
    const ended = { ...place, publishedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:32.000Z' };
    fake.answer('streams/query', { streams: [], ended: [ended] });
    const words = /^Ended 202\d-\d\d-\d\d \d\d:\d\d after 32 sec$/;
    await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2));
    expect(screen.getByRole('tablist', { name: 'How to publish' })).toBeDefined();
    expect(panel().getByText('Start streaming again to see the video here.')).toBeDefined();
  });

  it('offers a stream that is live under another name', async () => {
    server().answer('streams/query', { streams: [activeStream({ stream: 'older', media })] });
    const { user } = await openTab();
    expect(await panel().findByText('Live under another name: live/older')).toBeDefined();
    await user.click(panel().getByRole('button', { name: 'Watch live/older here' }));
    expect(await screen.findByText('Live', { selector: '[role=status] *' })).toBeDefined();
    expect(localStorage.getItem('SRS_STREAM_NAME')).toBe('older');
  });

  it('makes no claim while the engine does not answer', async () => {
    server().refuse('streams/query', 502, 1);
    await openTab();
    expect(await screen.findByText('No response, retrying')).toBeDefined();
    expect(panel().getByText('Loading live status…')).toBeDefined();
  });
});
