import { createLog } from '@weir/plane';
import { expect, onTestFinished, test } from 'vitest';
import { Clients } from '../hub/clients/clients.ts';
import { client, picture, place, videoConfig } from '../hub/frames.fixture.ts';
import { Hub } from '../hub/hub.ts';
import { PlayerViews } from '../hub/player-views/player-views.ts';
import { SrsApi } from './srs-api.ts';

function openApi() {
  const hub = new Hub({ returnMs: 1000 });
  onTestFinished(() => hub.close());
  const playerViews = new PlayerViews({ log: createLog('test', 'error') });
  const api = new SrsApi({ hub, playerViews, version: '1.2.3', listeners: () => [] });
  const query = (text: string, method = 'GET') => {
    const { pathname, searchParams } = new URL(text, 'http://engine');
    return api.answer({ method, path: pathname, query: searchParams });
  };
  const get = (text: string) => JSON.parse(JSON.stringify(query(text)?.body ?? {}));
  return { hub, query, get };
}

const publications = new Map<string, () => void>();

/** The publisher leaves; the stream waits for it a while. */
function end(hub: Hub, id: string) {
  publications.get(id)?.();
  hub.clients.delete(id);
}

function publish(hub: Hub, name: string, vhost = place.vhost) {
  const where = { ...place, vhost, name };
  const base = client('rtmp-publish');
  const entry = { ...base, info: { ...base.info, place: where } };
  const publication = hub.open(where)?.publish(entry);
  publications.set(entry.info.id, () => publication?.end());
  hub.clients.add(entry);
  publication?.config(videoConfig);
  publication?.frame(picture(0, true));
  return entry;
}

const areasOfProcess = {
  rusages: ['ru_utime', 'ru_stime', 'ru_maxrss', 'ru_minflt', 'ru_nvcsw', 'ru_nivcsw', 'ru_inblock', 'ru_oublock'],
  self_proc_stats: ['pid', 'comm', 'state', 'ppid', 'utime', 'stime', 'num_threads', 'vsize', 'rss', 'cguest_time'],
  system_proc_stats: ['user', 'nice', 'sys', 'idle', 'iowait', 'irq', 'softirq', 'steal', 'guest'],
  meminfos: ['percent_ram', 'percent_swap', 'MemActive', 'RealInUse', 'NotInUse', 'MemTotal', 'SwapFree'],
};

for (const [area, names] of Object.entries(areasOfProcess)) {
  test(`${area} returns the fields of SRS with values of this machine`, () => {
    const { data } = openApi().get(`/api/v1/${area}`);
    expect(data).toMatchObject({ ok: true, sample_time: expect.any(Number) });
    expect(Object.keys(data)).toEqual(expect.arrayContaining(names));
    for (const name of names) expect(data[name], name).not.toBeNaN();
  });
}

test('describes the process by its own figures, without memory addresses', () => {
  const { get } = openApi();
  const { data } = get('/api/v1/self_proc_stats');
  expect(data).toMatchObject({ pid: process.pid, ppid: process.ppid, state: 'R', startcode: 0, kstkesp: 0, wchan: 0 });
  expect(data.rss * 4096).toBeGreaterThan(10_000_000);
  expect(get('/api/v1/rusages').data.ru_maxrss).toBeGreaterThan(10_000);
});

test('summarises the process, the machine and all bytes transferred so far', () => {
  const { hub, get } = openApi();
  const entry = publish(hub, 'one');
  entry.counters.bytesIn = 5000;
  hub.clients.delete(entry.info.id);
  const { data } = get('/api/v1/summaries');
  expect(Object.keys(data.self)).toEqual(
    expect.arrayContaining(['version', 'pid', 'ppid', 'argv', 'cwd', 'mem_kbyte', 'mem_percent', 'cpu_percent']),
  );
  expect(Object.keys(data.system).toSorted()).toEqual([
    'conn_srs',
    'conn_sys',
    'conn_sys_et',
    'conn_sys_tw',
    'conn_sys_udp',
    'cpu_percent',
    'cpus',
    'cpus_online',
    'disk_busy_percent',
    'disk_read_KBps',
    'disk_write_KBps',
    'ilde_time',
    'load_15m',
    'load_1m',
    'load_5m',
    'mem_ram_kbyte',
    'mem_ram_percent',
    'mem_swap_kbyte',
    'mem_swap_percent',
    'net_recv_bytes',
    'net_recvi_bytes',
    'net_sample_time',
    'net_send_bytes',
    'net_sendi_bytes',
    'srs_recv_bytes',
    'srs_sample_time',
    'srs_send_bytes',
    'uptime',
  ]);
  expect(data.system).toMatchObject({ srs_recv_bytes: 5000, conn_srs: 0 });
  expect(data.self.mem_percent).toBeGreaterThan(0);
  expect(data.self.cpu_percent).toBeGreaterThan(0);
});

test('lists streams and returns each one with codec and bitrate of its publisher', () => {
  const { hub, get } = openApi();
  const { info } = publish(hub, 'one');
  publish(hub, 'two', 'example.org');
  const { streams } = get('/api/v1/streams');
  expect(streams).toHaveLength(2);
  expect(streams[0]).toMatchObject({
    name: 'one',
    app: 'live',
    url: '/live/one',
    clients: 1,
    frames: 1,
    kbps: { recv_30s: expect.any(Number), send_30s: 0, recv_5s: expect.any(Number), send_5s: 0 },
    publish: { active: true, cid: info.id },
    video: { codec: 'H264', profile: 'High', level: '3.1', width: 640, height: 360 },
    audio: null,
  });
  expect(streams[1].url).toBe('example.org/live/two');
  expect(get(`/api/v1/streams/${streams[1].id}`).stream).toMatchObject({ id: streams[1].id, name: 'two' });
  expect(get('/api/v1/streams/none')).toEqual({ code: 2048 });
  const { vhosts } = get('/api/v1/vhosts');
  expect(vhosts).toMatchObject([
    { name: '__defaultVhost__', streams: 1, clients: 1 },
    { name: 'example.org', streams: 1, clients: 1 },
  ]);
  expect(get(`/api/v1/vhosts/${vhosts[1].id}`).vhost.name).toBe('example.org');
  expect(get('/api/v1/vhosts/none')).toEqual({ code: 2014 });
});

test('gives vhosts with a common prefix different IDs', () => {
  const { hub, get } = openApi();
  for (const vhost of ['example.org', 'example.com']) publish(hub, 'one', vhost);
  const ids = get('/api/v1/vhosts').vhosts.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(3);
});

test('returns pages of ten entries, or of the size and start that are asked for', () => {
  const { hub, get } = openApi();
  for (let n = 0; n < 25; n++) publish(hub, `name-${n}`);
  const names = (query: string) => get(`/api/v1/streams${query}`).streams.map(({ name }: { name: string }) => name);
  expect(names('')).toHaveLength(10);
  expect(names('?count=100')).toHaveLength(25);
  expect(names('?start=23&count=5')).toEqual(['name-23', 'name-24']);
  expect(names('?start=-1&count=x')).toHaveLength(10);
  expect(names('?start=99')).toEqual([]);
  expect(names('?count=0')).toHaveLength(10);
  expect(names('?start=10')).toEqual(Array.from({ length: 10 }, (_, n) => `name-${n + 10}`));
  expect(get('/api/v1/clients?count=3').clients).toHaveLength(3);
  const clients = (query: string) => get(`/api/v1/clients${query}`).clients.map(({ name }: { name: string }) => name);
  expect([0, 10, 20, 30].flatMap((start) => clients(`?start=${start}`))).toEqual(names('?count=100'));
});

test('lists live streams before ended ones, whichever began first', () => {
  const { hub, get } = openApi();
  const entries = Array.from({ length: 30 }, (_, n) => publish(hub, `name-${n}`));
  const names = (query: string) => get(`/api/v1/streams${query}`).streams.map(({ name }: { name: string }) => name);
  for (const { info } of entries.slice(0, 25)) end(hub, info.id);
  publish(hub, 'late');
  const live = ['name-25', 'name-26', 'name-27', 'name-28', 'name-29', 'late'];
  expect(names('').slice(0, 6)).toEqual(live);
  expect(names('?count=6')).toEqual(live);
  const paged = [0, 10, 20, 30].flatMap((start) => names(`?start=${start}`));
  expect(paged).toEqual([...live, ...Array.from({ length: 25 }, (_, n) => `name-${n}`)]);
  publish(hub, 'name-3');
  expect(names('?count=1')).toEqual(['name-3']);
});

test('returns a client with its bitrate and disconnects it on DELETE', () => {
  const { hub, query, get } = openApi();
  const kicked: string[] = [];
  const { info } = client('flv-play');
  const connectedAt = new Date(Date.now() - 40_000);
  const viewer = Clients.entry({ ...info, connectedAt }, (reason) => kicked.push(reason));
  hub.clients.add(viewer);
  viewer.counters.bytesOut = 4_000_000;
  viewer.history.add(Date.now() - 31_000, 0, 250_000);
  viewer.history.add(Date.now() - 5_000, 0, 3_375_000);
  const path = `/api/v1/clients/${viewer.info.id}`;
  const { client: told } = get(path);
  expect(told).toMatchObject({
    id: viewer.info.id,
    ip: '127.0.0.1',
    type: 'flv-play',
    publish: false,
    url: '/live/one',
    send_bytes: 4_000_000,
    recv_bytes: 0,
  });
  expect(told.kbps.send_5s).toBeCloseTo(1000, -2);
  expect(told.kbps.send_30s).toBeCloseTo(968, -2);
  expect(query(path, 'DELETE')).toEqual({ status: 200, body: { code: 0 } });
  expect(get(`${path}?method=DELETE`)).toEqual({ code: 0 });
  expect(kicked).toEqual(['ended by the administrator', 'ended by the administrator']);
  for (const id of ['', 'none', '%2f']) expect(query(`/api/v1/clients/${id}`, 'DELETE')?.body).toEqual({ code: 2049 });
  expect(get('/api/v1/clients/none')).toEqual({ code: 2049 });
});

test('refuses other methods and unknown paths', () => {
  const { query } = openApi();
  expect(query('/api/v1/streams', 'POST')?.status).toBe(200);
  expect(query('/api/v1/streams', 'PUT')?.status).toBe(405);
  expect(query('/api/v1/streams/x', 'DELETE')?.status).toBe(405);
  for (const path of ['/api/v1/', '/api/v1/constructor', '/api/v1/streams/a/b', '/api/v1/clients/%ff'])
    expect(query(path)).toBeUndefined();
});
