import {
  type Alert,
  type ForwardChange,
  ForwardOutlet,
  type ForwardRow,
  forwardApi,
  outletProcessKey,
} from '@weir/contract';
import { type ProcessSpec, relayArgs, type Scope, type Supervisor } from '@weir/process';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { Destinations } from '../../outlets/destinations.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import { takeOutletCall } from '../../outlets/outlet-call.ts';
import { outletRow, processActivity } from '../../outlets/outlet-row.ts';
import { outletUrl } from '../../outlets/outlet-url.ts';
import { Outlets } from '../../outlets/outlets.ts';
import type { Outputs } from '../../outlets/outputs.ts';
import { outputAlert } from '../../process-reports/output-alert.ts';
import { planForward } from './forward-plan.ts';

interface ForwardContext {
  readonly store: Store;
  readonly inputs: LiveInputs;
  readonly events: Events;
  readonly destinations: Destinations;
  readonly supervisor: Supervisor;
  readonly clock: Clock;
  readonly limit: number;
}

/** Live streams of this server, sent on to other platforms. */
class ForwardService {
  readonly outlets: Outlets<typeof ForwardOutlet>;
  readonly #inputs: LiveInputs;
  readonly #destinations: Destinations;
  readonly #processes: Scope;
  readonly #clock: Clock;
  /** The stream that each destination takes since the last plan. */
  #taken: ReadonlyMap<string, string> = new Map();

  constructor({ store, inputs, events, destinations, supervisor, clock, limit }: ForwardContext) {
    const onChange = () => this.#processes.wake();
    this.outlets = new Outlets({ store, feature: 'forward', schema: ForwardOutlet, destinations, limit, onChange });
    this.#inputs = inputs;
    this.#clock = clock;
    this.#destinations = destinations;
    events.on('inputs:changed', onChange);
    this.#processes = supervisor.scope('forward', () => this.#plan());
  }

  readonly outputs: Outputs = {
    urls: async () => (await this.outlets.list()).filter(({ enabled }) => enabled).map(outletUrl),
    copies: async () =>
      (await this.outlets.list())
        .filter(({ enabled }) => enabled)
        .map((outlet) => ({ from: this.#taken.get(outlet.platform) ?? outlet.stream, to: outletUrl(outlet) })),
  };

  async save(change: ForwardChange): Promise<void> {
    const { platform = '', server = '', secret = '', enabled } = change;
    const wanted = change.stream?.trim() ?? (await this.outlets.byPlatform())[platform]?.stream ?? '';
    if (enabled && wanted !== '') await this.#inputs.refuseLoop([wanted], outletUrl({ server, secret }));
    await this.outlets.update(change, (current) => ({
      stream: change.stream?.trim() ?? current?.stream ?? '',
      quality: change.quality ?? current?.quality ?? '',
    }));
  }

  async rows(): Promise<ForwardRow[]> {
    const outlets = await this.outlets.list();
    return Promise.all(
      outlets.map(async (outlet) => {
        const stream = this.#taken.get(outlet.platform);
        const observed = this.#processes.observe(outletProcessKey('forward', outlet.platform));
        const row = await outletRow(outlet, { hasSource: stream !== undefined, observed, inputs: this.#inputs });
        return { ...row, ...(stream !== undefined && { stream }) };
      }),
    );
  }

  async alerts(): Promise<Alert[]> {
    return (await this.rows()).flatMap((row) => outputAlert({ tab: 'forward', ...row }, this.#clock.dateMs()));
  }

  async #plan(): Promise<ProcessSpec[]> {
    const jobs = planForward(await this.outlets.list(), await this.#inputs.look(), this.#taken);
    this.#taken = new Map(jobs.map(({ platform, stream }) => [platform, stream]));
    return jobs.map(({ spec, from, to: url }) => ({
      ...spec,
      prepare: this.#destinations.prepare(url, (to) => relayArgs({ from, to })),
    }));
  }
}

/** Sends live streams on to other platforms. */
export function forwardFeature(context: ForwardContext): Feature & { readonly service: ForwardService } {
  const service = new ForwardService(context);
  return {
    routes: (http) => {
      http.route(forwardApi.secret, (change) =>
        takeOutletCall(change, {
          read: () => service.outlets.byPlatform(),
          update: () => service.save(change),
          remove: () => service.outlets.remove(change.platform),
        }),
      );
      http.route(forwardApi.streams, () => service.rows());
    },
    alerts: () => service.alerts(),
    activity: { forward: async () => processActivity((await service.rows()).map(({ process }) => process)) },
    outputs: service.outputs,
    reported: async () => ({
      destinations: (await service.rows()).map(({ platform, enabled, custom, stream, process }) => {
        const { state, failures, failure } = process;
        return { platform, enabled, custom, stream, state, failures, cause: failure?.cause ?? '' };
      }),
    }),
    service,
  };
}
