import { answerMessage } from '@weir/client';
import { xsrfHeaders } from '../../lib/browser/xsrf.ts';
import { readCredentials } from '../../lib/credentials.ts';

/** An answer that is not what was asked for. 401 means: not signed in. */
export class SrsError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** SRS's own number for a client that is no longer there. */
const clientNotFound = 2049;

/**
 * Asks the media server's API on this very server. Whatever host and port the address of the page names, the sign-in
 * goes nowhere else.
 */
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

/** Ends a connection. One that is gone already counts as ended. */
export async function kickClient(id: string): Promise<void> {
  const { code } = await call(`clients/${encodeURIComponent(id)}`, { method: 'DELETE' });
  if (code !== 0 && code !== clientNotFound) throw new SrsError(200, `code ${String(code)}`);
}
