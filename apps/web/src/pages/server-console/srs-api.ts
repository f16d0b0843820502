import { answerMessage } from '@weir/client';
import { xsrfHeaders } from '../../lib/browser/xsrf.ts';
import { readCredentials } from '../../lib/credentials.ts';

/** Unexpected response. Status 401 means signed out. */
export class SrsError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** SRS error code for an unknown client. */
const clientNotFound = 2049;

/** Calls the media server's API on this origin only: the credentials must never go to a host named in the page address. */
async function call(path: string, init: RequestInit): Promise<Record<string, unknown>> {
  const bearer = readCredentials()?.bearer;
  const response = await fetch(`/api/v1/${path}`, {
    ...init,
    headers: { ...xsrfHeaders(), ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
  });
  const body: unknown = await response.json().catch(() => undefined);
  const record = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  if (!response.ok) throw new SrsError(response.status, answerMessage(record) ?? response.statusText);
  return record;
}

export function readSrs(path: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  return call(path, { signal });
}

/** Ends a connection. A connection that is already gone counts as ended. */
export async function kickClient(id: string): Promise<void> {
  const { code } = await call(`clients/${encodeURIComponent(id)}`, { method: 'DELETE' });
  if (code !== 0 && code !== clientNotFound) throw new SrsError(200, `code ${String(code)}`);
}
