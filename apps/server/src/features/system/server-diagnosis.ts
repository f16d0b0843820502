import type { Alert, Diagnosis, Health, Issue } from '@weir/contract';
import { diagnoseServer } from '@weir/diagnose';
import type { Config } from '@weir/plane';
import { serverSampleFields } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { sampleTable } from '../../core/sample-table.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { CpuUsers } from '../../process-reports/cpu-users.ts';
import type { DiskTrend } from './disk-trend.ts';
import type { ProgramProbe } from './tools.ts';

interface Context {
  readonly config: Pick<Config, 'inDocker' | 'candidate' | 'httpsElsewhere'>;
  readonly mediaServer: MediaServer;
  readonly clock: Clock;
  readonly disk: DiskTrend;
  readonly ffmpeg: ProgramProbe;
  readonly cpuUsers: Pick<CpuUsers, 'look'>;
}

/** Above this share of all cores, for some seconds, it is worth the reading of processes. */
const busyCpu = 0.8;
const busySeconds = 10;

interface Observed {
  readonly health: Health;
  readonly alerts: readonly Alert[];
}

/** Diagnosis of this server from all current facts, with the start of each problem. */
export class ServerDiagnosis {
  readonly #context: Context;
  #since = new Map<string, string>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Most facts say how it is and not since when: what was wrong at the look before has been since then. */
  async look(observed: Observed): Promise<Diagnosis> {
    const { verdict, issues } = await diagnose(this.#context, observed);
    const dated = issues.map((issue) => ({ ...issue, since: earlier(this.#since.get(keyOf(issue)), issue.since) }));
    this.#since = new Map(dated.map((issue) => [keyOf(issue), issue.since]));
    return { verdict, issues: dated };
  }
}

/** Unavailable facts stay unknown. */
async function diagnose(
  { config, mediaServer, clock, disk, ffmpeg, cpuUsers }: Context,
  { health, alerts }: Observed,
): Promise<Diagnosis> {
  const [detail, trend, tool] = await Promise.all([
    mediaServer.serverDetail().catch(() => undefined),
    disk.read().catch(() => ({ bytesPerDay: undefined, newestMs: 0 })),
    ffmpeg.read(),
  ]);
  const { certificate } = health;
  const samples = sampleTable(detail?.seconds, serverSampleFields);
  const cpuUse = isBusy(samples.columns.cpu) ? await cpuUsers.look() : undefined;
  return diagnoseServer(samples, {
    nowMs: clock.dateMs(),
    health,
    alerts,
    ffmpeg: tool.state === 'there' || tool.state === 'missing' ? tool.state : 'unknown',
    openFiles: detail?.openFiles,
    cpuUse,
    diskBytesPerDay: trend.bytesPerDay,
    newestKeptMs: trend.newestMs,
    lacksCandidate: config.inDocker && config.candidate === '',
    isSelfSigned: certificate !== null && certificate.subject === certificate.issuer,
    isHttpsElsewhere: config.httpsElsewhere,
  });
}

function isBusy(cpu: readonly (number | null)[]): boolean {
  const known = cpu.slice(-busySeconds).filter((share) => share !== null);
  return known.length > 0 && known.reduce((sum, share) => sum + share, 0) / known.length > busyCpu;
}

/** A full CPU is one issue, even if its main user changes. */
function keyOf({ id, subject }: Issue): string {
  return id === 'cpu-full' ? id : `${id} ${subject}`;
}

function earlier(before: string | undefined, now: string): string {
  return before !== undefined && before < now ? before : now;
}
