import { flushCompileCache } from 'node:module';
import { createLog, type Log } from '../log/log.ts';
import { SecretRedactor } from '../log/secret-redactor.ts';
import type { Boot, LauncherLink, LauncherMessage, PlaneMessage, PlaneName, PlaneStates, ReadyFacts } from './boot.ts';
import { errorMessage } from './error-message.ts';
import { releaseStartupMemory } from './release-startup-memory.ts';

/** The launcher kills a plane that takes longer than 5 s; staying below keeps the end orderly. */
const closeDeadlineMs = 4000;
/** The first page loads come right after the start; they should not wait for the collector. */
const releaseMemoryAfterMs = 2000;

export interface RunningPlane {
  readonly facts: ReadyFacts;
  /** Stops accepting, ends work, frees everything. Called once. */
  close(): Promise<void>;
}

/** A reason not to start that a person can act on: shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Entry point of a plane: waits for the launcher's word, starts, reports, and ends with the launcher. The channel to
 * the launcher closes when that process is gone, however it went, so a plane can never outlive it.
 */
export function runPlane(
  name: PlaneName,
  /** `hidden`: what a plane learns to be secret never reaches the log. */
  start: (boot: Boot, log: Log, launcher: LauncherLink, hidden: SecretRedactor) => Promise<RunningPlane>,
): void {
  if (!process.send) {
    process.stderr.write(`The ${name} is started by the launcher: run \`npm start\`.\n`);
    process.exit(1);
  }
  const send = (message: PlaneMessage) => {
    if (process.connected) process.send?.(message);
  };
  let planes: PlaneStates | undefined;
  const launcher: LauncherLink = {
    planes: () => planes,
    restart: (plane) => send({ type: 'restart', plane }),
    waitsFor: (what) => send({ type: 'waits', for: what }),
  };
  let log: Log | undefined;
  let plane: RunningPlane | undefined;
  let isStopping = false;

  const stop = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log?.info({ reason }, 'stopping');
    setTimeout(() => {
      log?.error('could not stop in time');
      process.exit(1);
    }, closeDeadlineMs).unref();
    Promise.resolve(plane?.close()).then(
      () => process.exit(0),
      (error: unknown) => {
        log?.error({ err: error }, 'stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('the launcher exited'));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log?.fatal({ err: error }, event);
      process.exit(1);
    });
  }

  process.on('message', (message: LauncherMessage) => {
    if (message.type === 'boot') void boot(message.boot);
    else planes = message.planes;
  });

  async function boot(given: Boot): Promise<void> {
    const hidden = new SecretRedactor();
    log = createLog(name, given.config.logLevel, hidden);
    try {
      plane = await start(given, log, launcher, hidden);
      log.info({ ...plane.facts }, 'ready');
      send({ type: 'ready', facts: plane.facts });
      flushCompileCache();
      setTimeout(releaseStartupMemory, releaseMemoryAfterMs).unref();
    } catch (error) {
      if (!(error instanceof StartError)) log.fatal({ err: error }, 'start failed');
      send({ type: 'failed', message: errorMessage(error) });
      // The message above leaves the process asynchronously; disconnecting waits for it.
      process.disconnect?.();
      process.exitCode = 1;
      setTimeout(() => process.exit(1), 500).unref();
    }
  }
}
