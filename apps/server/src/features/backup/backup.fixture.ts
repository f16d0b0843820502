import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { createTestApp } from '../../app.fixture.ts';
import { SqliteStore } from '../../core/store/sqlite-store.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

const log = createLog('test', 'error');
log.level = 'silent';

/** A server on a data directory, which a later one may continue. */
export async function openServer(
  dataDir = mkdtempSync(join(tmpdir(), 'weir-backup-')),
  options: Parameters<typeof createTestApp>[0] = {},
) {
  const restarted: string[] = [];
  const launcher = {
    planes: () => undefined,
    restart: (plane: string) => void restarted.push(plane),
    waitsFor: () => undefined,
  };
  const store = new SqliteStore(join(dataDir, 'weir.db'), log);
  const mediaServer = new FakeMediaServer();
  const server = await createTestApp({ mediaServer, ...options, dataDir, store, launcher });
  let bearer = '';
  const call = async (path: string, body: object = {}) =>
    server.post(`/terraform/v1/${path}`, body, { authorization: `Bearer ${bearer}` });
  const backup = (what: string, body: object = {}) => call(`mgmt/backup/${what}`, body);
  return {
    ...server,
    restarted,
    call,
    backup,
    useBearer: (next: string) => {
      bearer = next;
    },
    /** Signs in with the password of a set-up server, or sets it. */
    signIn: async (password = 'the password') => {
      const set = await server.app.setupCode();
      const session = set
        ? await server.setUp(password)
        : (await server.post('/terraform/v1/mgmt/login', { password })).data;
      bearer = session.bearer;
    },
    download: async () => {
      const headers = { authorization: `Bearer ${bearer}` };
      return (await server.inject({ method: 'POST', url: '/terraform/v1/mgmt/backup/download', headers })).rawPayload;
    },
    upload: async (bytes: Buffer) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/octet-stream' };
      const url = '/terraform/v1/mgmt/backup/upload';
      const response = await server.inject({ method: 'POST', url, headers, payload: bytes });
      return { status: response.statusCode, ...response.json() };
    },
  };
}

export type BackupServer = Awaited<ReturnType<typeof openServer>>;

/** Calls that read every kind of settings. Values that change from call to call are left out by the reader. */
const reads = [
  'mgmt/secret/query',
  'mgmt/hooks/query',
  'mgmt/hphls/query',
  'mgmt/cert/query',
  'mgmt/beian/query',
  'mgmt/contact/query',
  'mgmt/limits/query',
  'mgmt/openai/query',
  'mgmt/notifications/query',
  'mgmt/access/query',
  'mgmt/watch/channel/query',
  'mgmt/edges/query',
  'mgmt/window/query',
  'mgmt/nginx/homepage/query',
  'mgmt/dns/backend/query',
  'mgmt/updates/query',
  'hooks/srs/secret/query',
  'hooks/srs/keys/query',
  'hooks/record/query',
  'hooks/record/files',
  'hooks/record/bucket/query',
  'hooks/dvr/query',
  'hooks/vod/query',
  'ffmpeg/forward/secret',
  'ffmpeg/vlive/secret',
  'ffmpeg/camera/secret',
  'ffmpeg/transcode/query',
  'ffmpeg/ladder/query',
  'ai/transcript/query',
  'ai/ocr/query',
  'ai/models/query',
  'ai/limits/query',
  'live/room/list',
  'live/program/query',
];

/** Everything that an administrator can read of the settings. */
export async function readSettings({ call }: Pick<BackupServer, 'call'>): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const path of reads) {
    const { code, data } = await call(path);
    if (code !== 0) throw new Error(`${path}: ${code} ${JSON.stringify(data)}`);
    found[path] = withoutMoments(data);
  }
  return found;
}

/** Free space, home directories and running work are of the machine. */
const volatile = new Set([
  'storage',
  'home',
  'uuid4',
  'backlog',
  'frame',
  'start',
  'ready',
  'update',
  'streams',
  'live',
]);

function withoutMoments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMoments);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !volatile.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutMoments(each)]));
}
