import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Boot, Config, PlaneName, ReadyFacts } from '@weir/plane';
import { addressesOf } from './addresses.ts';
import { prepareDataDirectory } from './data-directory.ts';
import type { LogLines } from './log-lines.ts';
import { PlaneProcess } from './plane-process.ts';

const appsDirectory = join(import.meta.dirname, '../..');

/** Both planes, started together and kept running until `stop`. */
export class Launcher {
  readonly #config: Config;
  readonly #log: LogLines;
  readonly #boot: Boot;
  readonly planes: Record<PlaneName, PlaneProcess>;

  constructor(config: Config, env: NodeJS.ProcessEnv, log: LogLines) {
    this.#config = config;
    this.#log = log;
    this.#boot = { config, sockets: prepareDataDirectory(config.dataDir), setupCode: randomBytes(10).toString('hex') };
    this.planes = { engine: this.#plane('engine', env), server: this.#plane('server', env) };
  }

  async start(): Promise<void> {
    const [engine, server] = await Promise.all([this.planes.engine.start(), this.planes.server.start()]);
    this.#announce({ ...engine, ...server });
  }

  async stop(): Promise<void> {
    await Promise.all([this.planes.engine.stop(), this.planes.server.stop()]);
  }

  #plane(name: PlaneName, env: NodeJS.ProcessEnv): PlaneProcess {
    // Secrets reach the planes by their private channel; the environment is inherited by every child they start.
    const { MGMT_PASSWORD: _password, SRS_PLATFORM_SECRET: _secret, ...rest } = env;
    const entry = join(appsDirectory, name, 'src/main.ts');
    return new PlaneProcess({ name, entry, boot: this.#boot, env: rest, log: this.#log });
  }

  /** The set-up address holds its code in clear on purpose: whoever reads this log owns the machine. */
  #announce({ httpPort = 0, httpsPort = 0, isInitialised = true }: ReadyFacts): void {
    const { setup, signIn } = addressesOf({
      port: httpPort,
      host: this.#config.http.host,
      interfaces: networkInterfaces(),
      isInitialised,
      setupCode: this.#boot.setupCode,
    });
    this.#log.say('info', 'serving', { version: this.#config.version, httpPort, httpsPort, pid: process.pid });
    for (const url of setup ?? []) this.#log.say('info', 'set-up address', { url });
    for (const url of signIn) this.#log.say('info', 'sign-in address', { url });
  }
}
