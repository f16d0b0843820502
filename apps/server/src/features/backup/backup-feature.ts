import { backupApi, importsApi } from '@weir/contract';
import type { Config, LauncherLink, Log } from '@weir/plane';
import { BackupRepository } from '../../backup/backup-repository.ts';
import { removeUnfinishedBackups } from '../../backup/make-backup.ts';
import { RestoreFolder, type RestoreTarget } from '../../backup/restore-folder.ts';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { Task } from '../../core/task.ts';
import type { Feature } from '../../feature.ts';
import type { PairView } from '../../leader-election/pair-view.ts';
import type { Timeline } from '../../timeline-store/timeline.ts';
import type { TranscriptIndex } from '../../transcript-index/transcript-index.ts';
import { BackupService } from './backup-service.ts';
import { SettingsImport } from './settings-import.ts';

interface Context {
  readonly config: Config;
  readonly store: Store;
  readonly timeline: Timeline;
  readonly words: TranscriptIndex;
  readonly outgoing: OutgoingClient;
  readonly launcher: LauncherLink;
  readonly pair: PairView | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const lookMs = 20_000;
const tidyMs = 10 * 60_000;
/** For the answer to leave before the process ends. */
const answerMs = 300;

/** Encrypted backups of the settings, their restore, and the import of other servers' settings. */
export function backupFeature(context: Context): Feature {
  const { config, store, timeline, words, outgoing, launcher, pair, clock } = context;
  const log = context.log.child({ feature: 'backup' });
  const source: RestoreTarget = { config, store, timelines: timeline.file, transcripts: words, clock };
  const repository = new BackupRepository(store);
  const service = new BackupService({ source, repository, outgoing, directory: config.backupDir, log });
  const restores = new RestoreFolder(source);
  const imports = new SettingsImport({ target: source, restores, log });

  const assertAlone = (kind = 'backup', command = 'restore') => {
    if (pair) {
      const message = `two servers share these settings: stop both and use the command "${command}"`;
      throw new WeirError('invalid_input', message, { why: { kind: `${kind}-pair`, fact: '' } });
    }
  };
  const restartSoon = () => void clock.pause(answerMs).then(() => launcher.restart('server'));

  const schedule: Task = async (signal) => {
    await removeUnfinishedBackups(config.dataDir).catch(() => undefined);
    while (!signal.aborted) {
      await service.runDue().catch((error: unknown) => log.warn({ err: error }, 'backups could not be checked'));
      await clock.pause(lookMs, signal).catch(() => undefined);
    }
  };
  const tidy: Task = async (signal) => {
    while (!signal.aborted) {
      await clock.pause(tidyMs, signal).catch(() => undefined);
      await restores.tidy().catch(() => undefined);
    }
  };

  return {
    routes: (http) => {
      http.route(backupApi.query, () => service.query());
      http.route(backupApi.apply, (change) => service.apply(change));
      http.route(backupApi.key, () => service.createKey());
      http.route(backupApi.test, (change) => service.test(change));
      http.route(backupApi.run, () => service.start());
      http.file(backupApi.download, async () => ({ ...(await service.download()), type: 'application/octet-stream' }));
      http.stream(backupApi.upload, async (body, { length }) => {
        assertAlone();
        return { bytes: await restores.receive(body, length) };
      });
      http.route(backupApi.inspect, ({ key }) => {
        assertAlone();
        return restores.inspect(key);
      });
      http.route(backupApi.restore, async ({ id }) => {
        assertAlone();
        await restores.commit(id);
        log.info('backup accepted; the control server restarts to restore it');
        restartSoon();
      });
      http.route(backupApi.discard, () => restores.discard());
      http.route(importsApi.inspect, (wish) => imports.inspect(wish));
      http.route(importsApi.apply, async (wish) => {
        assertAlone('import', 'migrate');
        const report = await imports.apply(wish);
        restartSoon();
        return report;
      });
    },
    tasks: { backups: schedule, 'abandoned-restores': tidy },
    alerts: () => service.alerts(),
    close: () => service.close(),
  };
}
