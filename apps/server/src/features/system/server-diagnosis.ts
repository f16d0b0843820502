import type { Alert, Diagnosis, Health } from '@weir/contract';
import { diagnoseServer } from '@weir/diagnose';
import { serverSampleFields } from '@weir/dialect';
import type { Config } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import { sampleTable } from '../../core/sample-table.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { DiskTrend } from './disk-trend.ts';
import type { ProgramProbe } from './tools.ts';

interface Context {
  readonly config: Pick<Config, 'inDocker' | 'candidate' | 'httpsElsewhere'>;
  readonly mediaServer: MediaServer;
  readonly clock: Clock;
  readonly disk: DiskTrend;
  readonly ffmpeg: ProgramProbe;
}

/** What is wrong with this server, from everything that is known of it now. What cannot be asked is not known. */
export async function serverDiagnosis(
  { config, mediaServer, clock, disk, ffmpeg }: Context,
  { health, alerts }: { readonly health: Health; readonly alerts: readonly Alert[] },
): Promise<Diagnosis> {
  const [detail, trend, tool] = await Promise.all([
    mediaServer.serverDetail().catch(() => undefined),
    disk.read().catch(() => ({ bytesPerDay: undefined, newestMs: 0 })),
    ffmpeg.read(),
  ]);
  const { certificate } = health;
  return diagnoseServer(sampleTable(detail?.seconds, serverSampleFields), {
    nowMs: clock.dateMs(),
    health,
    alerts,
    ffmpeg: tool.state === 'there' || tool.state === 'missing' ? tool.state : 'unknown',
    openFiles: detail?.openFiles,
    diskBytesPerDay: trend.bytesPerDay,
    newestKeptMs: trend.newestMs,
    lacksCandidate: config.inDocker && config.candidate === '',
    isSelfSigned: certificate !== null && certificate.subject === certificate.issuer,
    isHttpsElsewhere: config.httpsElsewhere,
  });
}
