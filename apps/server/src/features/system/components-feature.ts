import { componentsApi } from '@weir/contract';
import type { Config, LauncherLink, Log } from '@weir/plane';
import type { LocalAi } from '../../ai/local/local-ai.ts';
import { processReport } from '../../ai/local/process-report.ts';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Feature } from '../../core/feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { DataUseMeter } from './data-use.ts';
import { observePlanes } from './planes.ts';
import { downloaderProgram, ffmpegProgram, nodeTool, ProgramProbe, srtTool } from './tools.ts';

interface Context {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly mediaServer: MediaServer;
  readonly launcher: LauncherLink;
  readonly localAi: LocalAi;
}

/** Components of this server, inspected on demand. */
export function componentsFeature({ config, log, clock, mediaServer, launcher, localAi }: Context): Feature {
  const dataUse = new DataUseMeter(config.dataDir, clock);
  const ffmpeg = new ProgramProbe(ffmpegProgram, clock);
  const downloader = new ProgramProbe(downloaderProgram, clock);
  return {
    routes: (http) => {
      http.route(componentsApi.query, async () => {
        const [planes, ffmpegTool, downloaderTool, engine, use, ai, installed] = await Promise.all([
          observePlanes(launcher.planes(), clock.dateMs()),
          ffmpeg.read(),
          downloader.read(),
          mediaServer.health().catch(() => undefined),
          dataUse.read(),
          processReport(localAi.keeper),
          localAi.isInstalled(),
        ]);
        // A media server that is not ours has its own.
        const library = mediaServer.lacks.includes('process') ? [] : [srtTool(engine)];
        const tools = [nodeTool(), ffmpegTool, ...library, downloaderTool];
        return { planes, tools, dataUse: use, ai: { ...ai, installed } };
      });

      http.route(componentsApi.restart, ({ name }, { caller, address }) => {
        if (!launcher.planes())
          throw new WeirError('unavailable', 'the launcher is not responding, components cannot be restarted');
        log.info({ plane: name, by: caller?.kind, address }, 'restart requested by an administrator');
        // Answers under way are finished by a plane that ends, this one among them.
        launcher.restart(name);
      });
    },
  };
}
