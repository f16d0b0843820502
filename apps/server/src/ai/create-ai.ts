import { dirname, join } from 'node:path';
import type { LocalAiSet } from '@weir/contract';
import { installLocalAi, readLocalAiState, removeLocalAi } from '@weir/local-ai';
import type { Boot, Log, SecretRedactor } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import type { OutgoingClient } from '../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../core/store/store.ts';
import type { Task } from '../core/task.ts';
import { AiCalls } from './ai-calls.ts';
import { AiService } from './ai-service.ts';
import { findProviders } from './find-providers.ts';
import { LocalAi } from './local/local-ai.ts';
import { LocalAiSupervisor } from './local/local-ai-supervisor.ts';
import type { LocalAiFiles } from './local/local-install.ts';
import { LocalAiInstall } from './local/local-install.ts';
import { localTarget } from './local/local-target.ts';
import { AiMeter } from './meter/ai-meter.ts';
import { ProviderTest } from './provider-test.ts';
import { Providers } from './providers.ts';
import { OpenAiWire } from './wire/openai-wire.ts';

/** Every call of AI asks whether the files are there; a look at the disk every few seconds answers that. */
const lookEveryMs = 3000;

/** The files of built-in AI below a directory. */
function localFiles(modelsDir: string, clock: Clock): LocalAiFiles {
  const looked = new Map<LocalAiSet, { readonly atMs: number; readonly state: ReturnType<typeof readLocalAiState> }>();
  const changed = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      looked.clear();
    }
  };
  return {
    state(set) {
      const nowMs = clock.elapsedMs();
      const known = looked.get(set);
      if (known && nowMs - known.atMs <= lookEveryMs) return known.state;
      const state = readLocalAiState(modelsDir, set);
      looked.set(set, { atMs: nowMs, state });
      return state;
    },
    install: (options) => changed(installLocalAi(modelsDir, options)),
    remove: (set) => changed(removeLocalAi(modelsDir, set)),
  };
}

interface Context {
  readonly boot: Boot;
  /** Entry point of the built-in AI process. */
  readonly entry: string;
  readonly store: Store;
  readonly outgoing: OutgoingClient;
  readonly hidden: SecretRedactor;
  readonly log: Log;
  readonly clock: Clock;
}

/** Builds the AI service with its providers, meter and built-in process. */
export function createAi({ boot, entry, store, outgoing, hidden, log: parent, clock }: Context) {
  const log = parent.child({ part: 'ai' });
  const { directory: modelsDir, areInstalled } = boot.config.models;
  const socket = join(dirname(boot.sockets.server), 'ai.sock');
  const keeper = new LocalAiSupervisor({ log, clock, command: [process.execPath, entry], socket, modelsDir });
  const files = localFiles(modelsDir, clock);
  const isInstalled = async () => (await files.state('basic')).installed;
  const local = new LocalAi({ keeper, modelsDir, isInstalled, wire: new OpenAiWire(localTarget(keeper)) });
  const meter = new AiMeter({ store, clock, log });
  const providers = new Providers({ store, outgoing, clock, hidden, local });
  const ai = new AiService({ calls: new AiCalls({ providers, meter, clock }), providers, local });
  const providerTest = new ProviderTest({ providers, meter, clock });
  const localInstall = new LocalAiInstall({ files, local, log });
  const tasks: Readonly<Record<string, Task>> = {
    'ai-meter': (signal) => meter.run(signal),
    // By the operator's word; where everything is in place nothing is fetched.
    'local-ai': async () => {
      if (areInstalled && !(await isInstalled())) await localInstall.start('basic');
    },
  };
  return {
    offers: {
      ai,
      aiMeter: meter,
      aiProviders: providers,
      providerTest,
      findProviders: () => findProviders(outgoing),
      localAi: local,
      localInstall,
    },
    tasks,
    async close(): Promise<void> {
      await keeper.close();
      // Writes the counts since the last write.
      await meter.flush().catch(() => undefined);
    },
  };
}
