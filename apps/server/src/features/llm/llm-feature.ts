import {
  type AiFoundProvider,
  type AiLimits,
  AiModels,
  type AiProvider,
  type AiUsageReport,
  type Alert,
  aiApi,
  aiFeatures,
  isSameHost,
  llmApi,
  maskKey,
} from '@weir/contract';
import type { Log } from '@weir/plane';
import { type Ai, AiError, type ProviderChoice } from '../../ai/ai.ts';
import { audioType } from '../../ai/audio-type.ts';
import type { LocalAi } from '../../ai/local/local-ai.ts';
import type { LocalAiSupervisor } from '../../ai/local/local-ai-supervisor.ts';
import type { LocalAiInstall } from '../../ai/local/local-install.ts';
import { processReport } from '../../ai/local/process-report.ts';
import { aiLimits } from '../../ai/meter/ai-limits.ts';
import type { AiMeter } from '../../ai/meter/ai-meter.ts';
import { aiModels, globalProvider, type StoredProvider } from '../../ai/provider-settings.ts';
import type { ProviderTest } from '../../ai/provider-test.ts';
import type { Providers } from '../../ai/providers.ts';
import { WeirError } from '../../core/errors.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';

interface LlmServiceContext {
  readonly store: Store;
  readonly providerTest: ProviderTest;
  /** Providers that rooms have for themselves, with their keys. */
  readonly otherProviders: () => Promise<readonly ProviderChoice[]>;
  readonly log: Log;
}

/** The global AI provider. Its key leaves this server only towards the host it was entered for. */
class LlmService {
  readonly #provider: Setting<StoredProvider>;
  readonly #models: Setting<AiModels>;
  readonly #test: ProviderTest;
  readonly #others: LlmServiceContext['otherProviders'];
  readonly #log: Log;

  constructor({ store, providerTest, otherProviders, log }: LlmServiceContext) {
    this.#provider = globalProvider(store);
    this.#models = aiModels(store);
    this.#test = providerTest;
    this.#others = otherProviders;
    this.#log = log;
  }

  async query(): Promise<AiProvider> {
    const { aiSecretKey, ...rest } = await this.#provider.read();
    return { aiSecretKey: maskKey(aiSecretKey), ...rest };
  }

  async update(next: AiProvider): Promise<void> {
    await this.#provider.update((current) => ({
      ...next,
      aiSecretKey: keyFor(current, { secretKey: next.aiSecretKey, baseURL: next.aiBaseURL }),
    }));
    this.#log.info({ host: new URL(next.aiBaseURL).host }, 'AI provider saved');
  }

  /** Removes provider, key and models; everything that uses the default is answered by built-in AI. */
  async remove(): Promise<void> {
    await this.#provider.put({ aiSecretKey: '', aiBaseURL: '', aiOrganization: '' });
    await this.#models.put(AiModels.parse({}));
    this.#log.info('AI provider removed');
  }

  async check(given: { secretKey: string; baseURL: string }, chatModel: string): Promise<void> {
    const choice = await this.choiceOf({ ...given, organization: '' });
    await this.#test.check(choice ?? { ...given, organization: '' }, chatModel).catch(refused);
  }

  /** Provider of a form, with the key behind its mask; undefined for an empty form. */
  async choiceOf(given: ProviderChoice): Promise<ProviderChoice | undefined> {
    if (given.baseURL === '') return undefined;
    const isMeant = ({ secretKey, baseURL }: ProviderChoice) =>
      secretKey !== '' && given.secretKey === maskKey(secretKey) && isSameHost(baseURL, given.baseURL);
    const other = (await this.#others()).find(isMeant);
    return { ...given, secretKey: other?.secretKey ?? keyFor(await this.#provider.read(), given) };
  }
}

/** The mask stands for the stored key only at the same host. Another host must not receive it. */
function keyFor(stored: StoredProvider, { secretKey, baseURL }: { secretKey: string; baseURL: string }): string {
  if (stored.aiSecretKey === '' || secretKey !== maskKey(stored.aiSecretKey)) {
    if (secretKey.includes('\u2022')) throw new WeirError('invalid_input', 'enter the complete secret key');
    return secretKey;
  }
  if (isSameHost(stored.aiBaseURL, baseURL)) return stored.aiSecretKey;
  throw new WeirError('invalid_input', 'the base URL has a new host, enter the secret key again');
}

const sampleWithinMs = 30_000;
/** Sentence that a voice speaks so that people can choose it, by language. */
const sampleTexts: Readonly<Record<string, string>> & { readonly en: string } = {
  en: 'Good evening, and welcome to the show.',
  zh: '晚上好，欢迎收看本次直播。',
  de: 'Guten Abend und herzlich willkommen.',
  es: 'Buenas noches y bienvenidos al programa.',
  fr: 'Bonsoir et bienvenue dans l’émission.',
  it: 'Buonasera e benvenuti al programma.',
};

/** Turns a provider's failure into an error for the person who asked. */
function refused(error: unknown): never {
  if (error instanceof AiError) {
    throw new WeirError('invalid_input', error.message, { cause: error, why: { kind: 'ai', fact: error.cause } });
  }
  throw error;
}

/** Failures in a row before an alert. Fewer may be chance, and callers see them anyway. */
const tooOften = 3;
const place: Alert['place'] = { page: 'settings', tab: 'llm', child: '' };

/** A process that keeps ending, providers that fail for long, and features that pause because they have used what they may. */
async function llmAlerts(keeper: LocalAiSupervisor, meter: AiMeter): Promise<Alert[]> {
  const { failures, lastExit } = keeper.state();
  const dying: Alert[] =
    failures >= tooOften && lastExit
      ? [
          {
            kind: 'local-ai',
            severity: 'bad',
            since: lastExit.at,
            count: failures,
            place,
            subject: '',
            label: '',
            cause: '',
          },
        ]
      : [];
  const paused = await pausedFeatures(meter);
  const { day } = await meter.today();
  const since = `${day}T00:00:00.000Z`;
  const failing = meter.failing.long.map(
    ({ feature: subject, host: label, sinceMs, count, cause }): Alert => ({
      kind: 'ai-provider',
      severity: 'bad',
      since: new Date(sinceMs).toISOString(),
      count,
      place,
      subject,
      label,
      cause,
    }),
  );
  return [
    ...dying,
    ...failing,
    // Excludes tests from the console.
    ...aiFeatures
      .filter((feature) => feature !== 'check' && paused.includes(feature))
      .map(
        (subject): Alert => ({
          kind: 'ai-limit',
          severity: 'warn',
          since,
          count: 1,
          place,
          subject,
          label: '',
          cause: '',
        }),
      ),
  ];
}

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly ai: Ai;
  readonly aiProviders: Providers;
  readonly aiMeter: AiMeter;
  readonly providerTest: ProviderTest;
  readonly findProviders: () => Promise<AiFoundProvider[]>;
  readonly localAi: LocalAi;
  readonly localInstall: LocalAiInstall;
  /** Providers that rooms have for themselves, with their keys. */
  readonly otherProviders: () => Promise<readonly ProviderChoice[]>;
}

const listWithinMs = 10_000;

/** AI providers, usage and built-in AI. */
export function llmFeature({
  store,
  log,
  ai,
  aiProviders,
  aiMeter,
  providerTest,
  findProviders,
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
      http.route(llmApi.remove, () => llm.remove());
      http.route(llmApi.check, (provider) => llm.check(provider, 'gpt-3.5-turbo'));
      http.route(llmApi.checkOcr, ({ aiSecretKey: secretKey, aiBaseURL: baseURL }) =>
        llm.check({ secretKey, baseURL }, 'gpt-4o'),
      );

      http.route(aiApi.test, async (given) => {
        const choice = await llm.choiceOf(given);
        const { host } = await ai.describe('chat', choice);
        return { host, results: await providerTest.test(choice) };
      });
      http.route(aiApi.findProviders, async () => ({ found: await findProviders() }));
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
      http.route(aiApi.voiceSample, async ({ voice, language, ...given }) => {
        const provider = await llm.choiceOf(given);
        const signal = AbortSignal.timeout(sampleWithinMs);
        const text = sampleTexts[language.slice(0, 2)] ?? sampleTexts.en;
        const bytes = await ai
          .speak({ feature: 'check', ...(provider && { provider }), voice, text, format: 'wav', signal })
          .catch(refused);
        return { audio: Buffer.from(bytes).toString('base64'), type: audioType(bytes) ?? 'audio/wav' };
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
        process: processReport(localAi.keeper),
        models: localAi.knownModels().map((model) => ({ ...model, languages: [...model.languages] })),
      }));
      http.route(aiApi.installLocal, ({ set }) => localInstall.start(set));
      http.route(aiApi.cancelInstall, () => localInstall.cancel());
      http.route(aiApi.removeLocal, ({ set }) => localInstall.remove(set));
    },
    alerts: () => llmAlerts(localAi.keeper, aiMeter),
    close: () => localInstall.cancel(),
  };
}

/** Usage for the console: today by feature and host, earlier by day. */
async function usageReport(meter: AiMeter, limits: AiLimits): Promise<AiUsageReport> {
  const { day, rows } = await meter.today();
  const days = new Map<string, AiUsageReport['days'][number]>();
  for (const row of await meter.history()) {
    const sum = days.get(row.day) ?? { day: row.day, calls: 0, errors: 0, audioSeconds: 0, tokens: 0 };
    days.set(row.day, {
      day: row.day,
      calls: sum.calls + row.calls,
      errors: sum.errors + row.errors,
      audioSeconds: sum.audioSeconds + row.audioSeconds,
      tokens: sum.tokens + row.tokens,
    });
  }
  return {
    day,
    today: rows.map(({ day: _day, ...row }) => row),
    days: [...days.values()].sort((a, b) => (a.day < b.day ? 1 : -1)),
    limits,
    paused: await pausedFeatures(meter),
  };
}

/** Features whose limit of today is reached. */
async function pausedFeatures(meter: AiMeter): Promise<AiUsageReport['paused']> {
  const paused = await Promise.all(aiFeatures.map((feature) => meter.isReached(feature)));
  return aiFeatures.filter((_, index) => paused[index]);
}
