import type { Alert } from '@weir/contract';
import type { MediaServer } from '../../media-server/media-server.ts';

/** Crashes within an hour that are no coincidence. */
const tooOften = 3;

/** Processes of the engine that ended under their clients. Each is told of for an hour. */
export async function workerAlerts(mediaServer: MediaServer): Promise<Alert[]> {
  const { deaths = [] } = await mediaServer.health();
  return deaths.map(({ worker, count, lastAt }) => ({
    ...({ kind: 'worker', severity: count >= tooOften ? 'bad' : 'warn', since: lastAt, count } as const),
    ...({ place: { page: 'scenario', tab: 'live', child: '' }, subject: worker, label: '', cause: '' } as const),
  }));
}
