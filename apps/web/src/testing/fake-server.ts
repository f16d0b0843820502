import type { ActiveStream, Alert, ContactLinks, componentsApi, DataOf, Status, Updates } from '@weir/contract';
import { afterEach, vi } from 'vitest';

interface FakeCall {
  readonly path: string;
  readonly body: unknown;
  readonly authorization: string | null;
}

interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

type Answer = (call: FakeCall) => FakeAnswer | Promise<FakeAnswer>;

/** In-memory server: maps paths (after `/terraform/v1/mgmt/`, others in full) to responses. Replaces `fetch` until the test ends. */
export class FakeServer {
  readonly calls: FakeCall[] = [];
  readonly answers = new Map<string, Answer>();
  /** Fails every connection while true. */
  isDown = false;

  constructor() {
    this.answer('envs', {}).answer('check', { upgrading: false, init: true }).answer('init', { init: true });
    this.answer('versions', { version: '0.1.0' }).answer('beian/query', {}).answer('status', runningStatus);
    this.answer('token', { token: 'fresh', createAt: '', expireAt: '' }).answer('logout', null);
    this.answer('streams/attempts', { attempts: [] })
      .answer('streams/query', { streams: [] })
      .answer(secretPath, { publish: publishSecret, pubNoAuth: false });
    this.answer('updates/query', noUpdates);
    this.answer('contact/query', noContactLinks).answer('components/query', runningComponents);
    this.answer('doctor/query', { startedAt: '', isRunning: false, version: '0.1.0', findings: [], rtcTicket: '' });
    this.answer('edges/query', { edges: [], token: '' }).answer('server/now', { at: 0, values: {} });
    this.answer('streams/overview', { streams: [], server: { cpu: [], memory: [], inKbps: [], outKbps: [] } });
    this.answer('server/diagnosis', { verdict: 'good', issues: [] });
    this.answer('access/query', { rules: [] }).answer('access/links', { links: [] });
    this.answer('streams/thumbnail', { reason: 'no-video' });
    this.answer('streams/broadcasts', { broadcasts: [], hasMore: false });
    this.answer('streams/timeline', { broadcast: null, entries: [] });
    this.answer('/terraform/v1/live/program/query', { programs: [], slates: [], isAvailable: true });
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => this.#respond(url, init));
  }

  answer(path: string, data: unknown): this {
    this.answers.set(path, () => ({ body: { code: 0, data, server: 1 } }));
    return this;
  }

  /** Accepts a change and makes it only then: a page that asks for the state again and again must not hear of it before. */
  accept(path: string, change: () => unknown): this {
    this.answers.set(path, () => {
      change();
      return { body: { code: 0, data: null, server: 1 } };
    });
    return this;
  }

  refuse(path: string, status: number, code: number, headers: Record<string, string> = {}): this {
    this.answers.set(path, () => ({ status, headers, body: { code, data: { message: 'refused' } } }));
    return this;
  }

  callsTo(path: string): FakeCall[] {
    return this.calls.filter((call) => call.path === path);
  }

  async #respond(url: string, init: RequestInit): Promise<Response> {
    if (this.isDown) throw new TypeError('connection refused');
    const call: FakeCall = {
      path: url.replace('/terraform/v1/mgmt/', ''),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      authorization: new Headers(init.headers).get('authorization'),
    };
    this.calls.push(call);
    const answer = await this.answers.get(call.path)?.(call);
    if (!answer) return new Response('no such path', { status: 404 });
    return new Response(JSON.stringify(answer.body), {
      status: answer.status ?? 200,
      headers: answer.headers ?? {},
    });
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A release that is up to date. */
export const noUpdates: Updates = {
  version: '0.1.0',
  stable: '0.1.0',
  latest: '0.1.0',
  notes: '',
  installation: 'tarball',
  looks: true,
  base: '',
  usualBase: 'https://downloads.example.com/weir',
  isOffForGood: false,
  lookedAt: '2026-01-01T12:00:00Z',
  problem: '',
  offered: '',
  update: null,
};

export const session = { token: 'a-token', createAt: '', expireAt: '', bearer: 'a-bearer' };

export const secretPath = '/terraform/v1/hooks/srs/secret/query';
export const publishSecret = '0123456789abcdef0123456789abcdef';

export function activeStream(facts: Partial<ActiveStream> = {}): ActiveStream {
  return {
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'show',
    server_id: 'vid-1',
    client_id: 'client-1',
    update: '2026-01-01T00:00:00.000Z',
    ...facts,
  };
}

export const runningStatus: Status = {
  version: 'v0.1.0',
  stable: 'v0.0.9',
  latest: 'v0.2.0',
  releases: { version: 'v0.1.0', stable: 'v0.0.9', latest: 'v0.2.0' },
  upgrading: false,
  strategy: 'manual',
  startedAt: '2026-01-01T00:00:00Z',
  uptimeSeconds: 90_061,
  health: {
    store: { ok: true },
    engine: {
      ok: true,
      startedAt: '2026-01-01T00:00:00Z',
      listeners: [
        { protocol: 'http', port: 2022, ready: true, note: '' },
        { protocol: 'https', port: 2443, ready: false, note: 'no-certificate' },
      ],
    },
    disk: { ok: true, freeBytes: 31e9, totalBytes: 100e9 },
    certificate: null,
  },
  alerts: [],
};

export function anAlert(facts: Partial<Alert>): Alert {
  return {
    kind: 'guessing',
    severity: 'warn',
    since: '2026-01-01T00:00:00Z',
    count: 3,
    subject: '',
    label: '',
    cause: '',
    place: { page: 'settings', tab: 'auth', child: '' },
    ...facts,
  };
}

export const noContactLinks: ContactLinks = { chat: '', social: '', source: '', group: '', video: '', community: '' };

const runningPlane = { ready: true, startedAt: '2026-01-01T00:00:00Z', uptimeSeconds: 90_061, lastExit: null } as const;

export const runningComponents: DataOf<typeof componentsApi.query> = {
  planes: [
    { ...runningPlane, name: 'engine', pid: 11, memoryBytes: 80e6, restarts: 0 },
    { ...runningPlane, name: 'server', pid: 12, memoryBytes: 70e6, restarts: 0 },
  ],
  tools: [
    { name: 'node', state: 'there', version: '24.1.0', lacks: [] },
    { name: 'ffmpeg', state: 'there', version: '5.1.6', lacks: [] },
    { name: 'libsrt', state: 'there', version: '1.5.1', lacks: [] },
    { name: 'yt-dlp', state: 'there', version: '2023.03.04', lacks: [] },
  ],
  failedWorkers: [],
  dataUse: {
    path: '/srv/weir',
    bytes: 5e6,
    atLeast: false,
    largest: [{ name: 'hls', bytes: 4e6 }],
    measuredAt: '2026-01-01T00:00:00Z',
    storeBytes: 40_960,
  },
  ai: {
    phase: 'stopped',
    pid: 0,
    startedAt: '1970-01-01T00:00:00Z',
    memoryBytes: null,
    starts: 0,
    failures: 0,
    lastExit: null,
    installed: false,
  },
};
