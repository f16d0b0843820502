import { queryOptions } from '@tanstack/react-query';
import { ApiError, answerMessage } from '@weir/client';
import {
  type BodyOf,
  backupApi,
  backupFaults,
  importFaults,
  importsApi,
  type RestorePlan,
  systemApi,
} from '@weir/contract';
import type { TFunction } from 'i18next';
import { client } from '../../lib/api.ts';
import { xsrfHeaders } from '../../lib/browser/xsrf.ts';

const pollMs = { idle: 15_000, running: 1500 } as const;

export const backupQuery = queryOptions({
  queryKey: ['backup'],
  queryFn: ({ signal }) => client.call(backupApi.query, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.running ? pollMs.running : pollMs.idle),
});

/** Credential of a restore: the session's, or the code of a new server. */
export type RestoreAuthority = { readonly bearer: string };

const withBearer = ({ bearer }: RestoreAuthority) => ({
  authorized: false,
  headers: { authorization: `Bearer ${bearer}` },
});

/** XMLHttpRequest, because `fetch` reports no upload progress. */
export function uploadBackup(file: File, { bearer }: RestoreAuthority, onPercent: (percent: number) => void) {
  const url = backupApi.upload.path;
  return new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.responseType = 'json';
    const headers = {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/octet-stream',
      ...xsrfHeaders(),
    };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onPercent(total > 0 ? Math.floor((loaded / total) * 100) : 0);
    request.onerror = () => reject(new ApiError('Network Error', { url }));
    request.onload = () => {
      if (request.status === 200) return resolve();
      const body: unknown = request.response;
      const response = new Response(null, { status: Math.max(200, request.status) });
      const message = answerMessage(body) ?? `Request failed with status code ${request.status}`;
      return reject(new ApiError(message, { url, response, body }));
    };
    request.send(file);
  });
}

export function inspectBackup(key: string, authority: RestoreAuthority): Promise<RestorePlan> {
  return client.call(backupApi.inspect, { key }, withBearer(authority));
}

export async function discardBackup(authority: RestoreAuthority): Promise<void> {
  await client.call(backupApi.discard, {}, withBearer(authority)).catch(() => undefined);
}

const waitMs = 1000;

/** Restores, and resolves when the restarted server answers. */
export function restoreBackup(id: string, authority: RestoreAuthority): Promise<void> {
  return untilRestarted(() => client.call(backupApi.restore, { id }, withBearer(authority)));
}

/** Imports, and resolves when the restarted server answers. */
export function applyImport(wish: BodyOf<(typeof importsApi)['apply']>): Promise<void> {
  return untilRestarted(() => client.call(importsApi.apply, wish));
}

async function untilRestarted(cause: () => Promise<unknown>): Promise<void> {
  const before = await readBootId();
  await cause();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const now = await readBootId();
    if (now !== undefined && now !== before) return;
  }
}

/** Tells one start of the control server from another; undefined while it does not answer. */
async function readBootId(): Promise<number | undefined> {
  try {
    const response = await fetch(systemApi.versions.path, { cache: 'no-store', credentials: 'omit' });
    const answer = (await response.json()) as { code?: unknown; server?: unknown };
    return answer.code === 0 && typeof answer.server === 'number' ? answer.server : undefined;
  } catch {
    return undefined;
  }
}

/** Why the server refuses the file, in the language of the console. */
export function refusalOf(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  const kind = error.why?.kind ?? '';
  if (kind === 'backup-pair') return t('backup.refused.pair');
  const fault = backupFaults.find((one) => `backup-${one}` === kind);
  if (fault) return t(`backup.refused.${fault}`, { fact: error.why?.fact ?? '' });
  if (error.status === 403) return t('setup.codeWrong');
  if (error.status === undefined) return t('backup.refused.network');
  return t('backup.refused.other', { said: error.message });
}

/** Why the server refuses to import a file, in the language of the console. */
export function importRefusalOf(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return String(error);
  const fault = importFaults.find((one) => `import-${one}` === error.why?.kind);
  if (fault) return t(`imports.refused.${fault}`);
  if (error.status === undefined) return t('imports.refused.network');
  return t('imports.refused.other', { said: error.message });
}

/** True for a refusal that the panel shows itself. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === undefined || (error.status >= 400 && error.status !== 401));
}
