import { createLog, SecretRedactor } from '@weir/plane';
import { type Clock, systemClock } from '../core/clock.ts';
import { OutgoingClient } from '../core/outgoing/request/outgoing-client.ts';
import { MemoryStore } from '../core/store/memory-store.ts';
import type { Store } from '../core/store/store.ts';
import { AiCalls } from './ai-calls.ts';
import { AiService } from './ai-service.ts';
import { LocalAi } from './local/local-ai.ts';
import { LocalAiSupervisor } from './local/local-ai-supervisor.ts';
import { localTarget } from './local/local-target.ts';
import { AiMeter } from './meter/ai-meter.ts';
import { aiModels, globalProvider } from './provider-settings.ts';
import { Providers } from './providers.ts';
import { OpenAiWire } from './wire/openai-wire.ts';

export const silentLog = createLog('test', 'error');
silentLog.level = 'silent';

/** The port with everything below it, on a store in memory; without built-in AI unless it is handed in. */
export function createTestAi({
  store = new MemoryStore() as Store,
  clock = systemClock as Clock,
  local = noLocalAi(),
} = {}) {
  const hidden = new SecretRedactor();
  const meter = new AiMeter({ store, clock, log: silentLog });
  const providers = new Providers({ store, clock, hidden, local, outgoing: new OutgoingClient() });
  const calls = new AiCalls({ providers, meter, clock });
  const ai = new AiService({ calls, providers, local });
  const setGlobal = (aiBaseURL: string, aiSecretKey = 'sk-0123456789abcdef', aiOrganization = '') =>
    globalProvider(store).put({ aiBaseURL, aiSecretKey, aiOrganization });
  return { ai, store, meter, providers, local, hidden, setGlobal, models: aiModels(store) };
}

function noLocalAi(): LocalAi {
  const keeper = new LocalAiSupervisor({
    log: silentLog,
    clock: systemClock,
    command: ['false'],
    socket: '/nowhere',
    modelsDir: '/nowhere',
  });
  return new LocalAi({
    keeper,
    wire: new OpenAiWire(localTarget(keeper)),
    isInstalled: async () => false,
    modelsDir: '',
  });
}
