import { randomUUID } from 'node:crypto';
import { basename } from 'node:path/posix';
import {
  type Alert,
  TranscodeConfig,
  type TranscodeProblem,
  type TranscodeTask,
  transcodeApi,
  transcodeProblem,
  transcodeProcessKey,
} from '@weir/contract';
import type { ProcessSpec, Scope, Supervisor } from '@weir/process';
import { defaultVhost } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Events } from '../../core/events.ts';
import { maskParam } from '../../core/mask-param.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { Destinations } from '../../outlets/destinations.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import { processActivity } from '../../outlets/outlet-row.ts';
import { outletUrl } from '../../outlets/outlet-url.ts';
import type { Outputs } from '../../outlets/outputs.ts';
import { outputAlert } from '../../process-reports/output-alert.ts';
import { processReport, runFields } from '../../process-reports/process-report.ts';
import { planTranscode, type TranscodeJob } from './transcode-plan.ts';

interface TranscodeContext {
  readonly store: Store;
  readonly inputs: LiveInputs;
  readonly events: Events;
  readonly destinations: Destinations;
  readonly supervisor: Supervisor;
  readonly clock: Clock;
  readonly publishAuth: { secretFor(stream: string): Promise<string> };
}

/** Transcoding of one live stream. */
class TranscodeService {
  readonly #config: Setting<TranscodeConfig>;
  readonly #context: TranscodeContext;
  readonly #processes: Scope;
  readonly #uuid = randomUUID();
  /** Result of the last plan. */
  #job: TranscodeJob | undefined;

  constructor(context: TranscodeContext) {
    this.#context = context;
    this.#config = context.store.setting('transcode/global', TranscodeConfig);
    this.#processes = context.supervisor.scope('transcode', () => this.#plan());
    context.events.on('inputs:changed', this.#processes.wake);
  }

  readonly outputs: Outputs = {
    urls: async () => {
      const config = await this.query();
      return config.all ? [outletUrl(config)] : [];
    },
    copies: async () => {
      const config = await this.query();
      return config.all ? [{ from: this.#job?.input ?? config.stream, to: outletUrl(config) }] : [];
    },
  };

  query(): Promise<TranscodeConfig> {
    return this.#config.read();
  }

  /** Clients of this API put everything back to zero to end it, so only what is to run is checked. */
  async apply({ stream, ...change }: Omit<TranscodeConfig, 'stream'> & { stream?: string | undefined }): Promise<void> {
    if (change.all) {
      await this.#check({ ...change, stream: '' });
      const wanted = stream?.trim() ?? (await this.query()).stream;
      if (wanted !== '') await this.#context.inputs.refuseLoop([wanted], outletUrl(change));
    }
    // A client that knows no choice of streams does not clear it.
    await this.#config.update((current) => ({ ...change, stream: stream?.trim() ?? current.stream }));
    this.#processes.wake();
  }

  async task(): Promise<TranscodeTask> {
    const config = await this.query();
    const observed = this.#processes.observe(transcodeProcessKey);
    const job = config.all ? this.#job : undefined;
    return {
      uuid: this.#uuid,
      enabled: config.all,
      input: job?.input ?? '',
      output: job ? maskedUrl(config, job.outputPlace !== undefined) : '',
      outputStream: streamName(job?.outputPlace),
      ...runFields(observed),
      process: processReport({ isOn: config.all, hasSource: job !== undefined }, observed),
    };
  }

  async alerts(): Promise<Alert[]> {
    const { process } = await this.task();
    return outputAlert({ tab: 'transcode', platform: '', label: '', process }, this.#context.clock.dateMs());
  }

  async #plan(): Promise<ProcessSpec[]> {
    const { inputs, publishAuth } = this.#context;
    const [config, view] = await Promise.all([this.query(), inputs.look()]);
    const publishSecret = await publishAuth.secretFor(basename(view.ownPlaceOf(outletUrl(config)) ?? ''));
    this.#job = planTranscode(config, view, { current: this.#job?.input, publishSecret });
    if (!this.#job) return [];
    const { spec, to, args } = this.#job;
    return [{ ...spec, prepare: this.#context.destinations.prepare(to, args) }];
  }

  async #check(config: TranscodeConfig): Promise<void> {
    const problem = transcodeProblem(config);
    if (problem) throw new WeirError('invalid_input', problemText(problem, config));
    const { server, secret } = config;
    await this.#context.destinations.check(server.trim() === '' ? { server: secret } : { server, secret });
  }
}

/** On our own server the name tells no secret, and the preview needs it; elsewhere the last part is the key. */
function maskedUrl(config: TranscodeConfig, isOwn: boolean): string {
  const [place = '', query] = outletUrl(config).split(/\?(.*)/s);
  if (isOwn) return query === undefined ? place : `${place}?${maskParam(query)}`;
  return /^srt:/i.test(place) ? `${place}?***` : place.replace(/[^/]+$/, '***');
}

function streamName(place: string | undefined): string {
  const prefix = `${defaultVhost}/`;
  return place?.startsWith(prefix) ? place.slice(prefix.length) : (place ?? '');
}

/** In the words that scripts of the older product know. */
function problemText(problem: TranscodeProblem, config: TranscodeConfig): string {
  const { field } = problem;
  switch (problem.kind) {
    case 'range':
      return `Invalid ${field} ${config[field]}, should be in [${problem.least}, ${problem.most}] Kbps`;
    case 'choice':
      return `Invalid ${field}${named(config[field])}, should be ${problem.choices.join(', ')}`;
    case 'missing':
      return 'Invalid server and key, at least one of them is required';
    case 'scheme':
      return 'Invalid server, should start with rtmp://, rtmps:// or srt://';
    case 'invalid':
      return 'Invalid server, should be a full URL';
  }
}

/** Repeats only plain words of the input. */
function named(value: string | number): string {
  return /^[\w-]{1,40}$/.test(String(value)) ? ` ${value}` : '';
}

/** Re-encodes a live stream. */
export function transcodeFeature(context: TranscodeContext): Feature {
  const transcode = new TranscodeService(context);
  return {
    routes: (http) => {
      http.route(transcodeApi.query, () => transcode.query());
      http.route(transcodeApi.apply, (config) => transcode.apply(config));
      http.route(transcodeApi.task, () => transcode.task());
    },
    alerts: () => transcode.alerts(),
    activity: {
      transcode: async () => {
        const { all, server, secret } = await transcode.query();
        return processActivity(all || server || secret ? [(await transcode.task()).process] : []);
      },
    },
    outputs: transcode.outputs,
    reported: async () => {
      const { server: _server, secret: _secret, ...config } = await transcode.query();
      return config;
    },
  };
}
