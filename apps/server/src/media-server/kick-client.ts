import { WeirError } from '../core/errors.ts';
import type { EngineClient } from './engine-client.ts';
import { CodeAnswer, noSuchClient } from './srs-answers.ts';

/** Disconnects a client by SRS's API; false when it was gone already. */
export async function kickClient(line: EngineClient, clientId: string): Promise<boolean> {
  const { code } = await line.ask(CodeAnswer, 'DELETE', `/api/v1/clients/${encodeURIComponent(clientId)}`);
  if (code !== 0 && code !== noSuchClient && code !== 404) {
    throw new WeirError('engine_unreachable', 'the media engine could not disconnect the client');
  }
  return code === 0;
}
