import { aiApi, llmApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Ai, ProviderChoice } from '../../ai/ai.ts';
import type { LocalAi } from '../../ai/local/local-ai.ts';
import type { LocalAiInstall } from '../../ai/local/local-install.ts';
import { processReport } from '../../ai/local/process-report.ts';
import { aiLimits } from '../../ai/meter/ai-limits.ts';
import type { AiMeter } from '../../ai/meter/ai-meter.ts';
import { aiModels } from '../../ai/provider-settings.ts';
import type { ProviderTest } from '../../ai/provider-test.ts';
import type { Providers } from '../../ai/providers.ts';
import type { Feature } from '../../core/feature.ts';
import type { Store } from '../../core/store/store.ts';
import { llmAlerts } from './llm-alerts.ts';
import { LlmService, refused } from './llm-service.ts';
import { usageReport } from './usage-report.ts';

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly ai: Ai;
  readonly aiProviders: Providers;
  readonly aiMeter: AiMeter;
  readonly providerTest: ProviderTest;
  readonly localAi: LocalAi;
  readonly localInstall: LocalAiInstall;
  /** Providers that rooms have for themselves, with their keys. */
  readonly otherProviders: () => Promise<readonly ProviderChoice[]>;
}

const listWithinMs = 10_000;

/** Whom AI features ask, what that took, and built-in AI. */
export function llmFeature({
  store,
  log,
  ai,
  aiProviders,
  aiMeter,
  providerTest,
  localAi,
  localInstall,
  otherProviders,
}: Context): Feature {
  const llm = new LlmService({ store, providerTest, otherProviders, log: log.child({ feature: 'llm' }) });
  const limits = aiLimits(store);
  const models = aiModels(store);
  return {
    routes: (http) => {
      http.route(llmApi.query, () => llm.query());
      http.route(llmApi.update, (provider) => llm.update(provider));
      http.route(llmApi.check, (provider) => llm.check(provider, 'gpt-3.5-turbo'));
      http.route(llmApi.checkOcr, ({ aiSecretKey: secretKey, aiBaseURL: baseURL }) =>
        llm.check({ secretKey, baseURL }, 'gpt-4o'),
      );

      http.route(aiApi.test, async (given) => {
        const choice = await llm.choiceOf(given);
        const { host } = await ai.describe('chat', choice);
        return { host, results: await providerTest.test(choice) };
      });
      http.route(aiApi.providerModels, async (given) => {
        const { wire } = await aiProviders.resolve('chat', await llm.choiceOf(given)).catch(refused);
        const listed = await wire.models(AbortSignal.timeout(listWithinMs)).catch(refused);
        return {
          models: listed.map(({ id, name = id, kind = '', languages = [] }) => ({ id, name, kind, languages })),
        };
      });
      http.route(aiApi.providerVoices, async (given) => {
        const { wire } = await aiProviders.resolve('speak', await llm.choiceOf(given)).catch(refused);
        // Most have no such list; their voices are typed.
        return { voices: await wire.voices(AbortSignal.timeout(listWithinMs)).catch(() => []) };
      });
      http.route(aiApi.answerers, async ({ language, ...given }) => {
        const choice = await llm.choiceOf(given);
        const [transcribe, chat, see, speak] = await Promise.all([
          ai.describe('transcribe', choice, language),
          ai.describe('chat', choice),
          ai.describe('see', choice),
          ai.describe('speak', choice),
        ]);
        return { transcribe, chat, see, speak };
      });
      http.route(aiApi.models, () => models.read());
      http.route(aiApi.updateModels, (next) => models.put(next));
      http.route(aiApi.usage, async () => usageReport(aiMeter, await limits.read()));
      http.route(aiApi.limits, () => limits.read());
      http.route(aiApi.updateLimits, (next) => limits.put(next));

      http.route(aiApi.local, async () => ({
        ...(await localInstall.report()),
        modelsDir: localAi.modelsDir,
        process: await processReport(localAi.keeper),
        models: localAi.knownModels().map((model) => ({ ...model, languages: [...model.languages] })),
      }));
      http.route(aiApi.installLocal, () => localInstall.start());
      http.route(aiApi.cancelInstall, () => localInstall.cancel());
      http.route(aiApi.removeLocal, () => localInstall.remove());
    },
    alerts: () => llmAlerts(localAi.keeper, aiMeter),
    close: () => localInstall.cancel(),
  };
}
