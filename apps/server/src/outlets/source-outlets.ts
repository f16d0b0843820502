import { basename } from 'node:path/posix';
import {
  type Activity,
  type Alert,
  Outlet,
  type OutletChange,
  type OutletRow,
  outletProcessKey,
  type Source,
  type SourceRef,
} from '@weir/contract';
import type { Input, Output, ProcessSpec, Scope, Supervisor } from '@weir/process';
import * as z from 'zod';
import type { Clock } from '../core/clock.ts';
import { WeirError } from '../core/errors.ts';
import { maskParam } from '../core/mask-param.ts';
import type { Store } from '../core/store/store.ts';
import type { SourceHolder, Sources } from '../media-sources/sources.ts';
import { outputAlert } from '../process-reports/output-alert.ts';
import type { Destinations } from './destinations.ts';
import type { LiveInputs } from './live-inputs.ts';
import { outletRow, processActivity } from './outlet-row.ts';
import { checkPlatform } from './outlet-rules.ts';
import { outletSecrets, outletUrl, withPublishSecret } from './outlet-url.ts';
import { Outlets } from './outlets.ts';

/** A slot as it is kept: of its sources only the ids, in the order they play. */
export const SourceSlot = Outlet.extend({ files: z.array(z.string()).default([]) });
export type SourceSlot = z.infer<typeof SourceSlot>;

export interface SourceOutletContext {
  readonly store: Store;
  readonly sources: Sources;
  readonly inputs: LiveInputs;
  readonly destinations: Destinations;
  readonly supervisor: Supervisor;
  readonly clock: Clock;
  readonly limits: {
    readonly slots: number;
    /** The highest bit rate that a source may have when it is added. */
    readonly kbps: () => Promise<number>;
  };
  /** Shown to our own server. */
  readonly publishAuth: { secretFor(stream: string): Promise<string> };
}

/** Differences between features with sources and slots. */
interface SourceOutletKind<Schema extends z.ZodType<SourceSlot>> {
  readonly feature: 'vlive' | 'camera';
  readonly schema: Schema;
  /** Fields of a new slot beside the common ones and its sources. */
  readonly blank: Omit<z.output<Schema>, keyof SourceSlot>;
  readonly accepts: Omit<Parameters<Sources['accept']>[1], 'limitKbps'>;
  readonly args: (slot: z.output<Schema>, input: Input, sources: readonly Source[], to: Output) => string[];
}

/** Desired work of a slot and its sources. */
interface Playing<Schema extends z.ZodType> {
  readonly slot: z.output<Schema>;
  readonly sources: readonly Source[];
  readonly reading: NonNullable<Awaited<ReturnType<Sources['readingOf']>>>;
}

/** Sources of the owner's, sent to platforms: what virtual live and cameras have in common, which is nearly everything. */
export class SourceOutlets<Schema extends z.ZodType<SourceSlot>> {
  readonly #kind: SourceOutletKind<Schema>;
  readonly #outlets: Outlets<Schema>;
  readonly #sources: Sources;
  readonly #inputs: LiveInputs;
  readonly #destinations: Destinations;
  readonly #limits: SourceOutletContext['limits'];
  readonly #publishAuth: SourceOutletContext['publishAuth'];
  readonly #processes: Scope;
  readonly #clock: Clock;

  constructor(
    kind: SourceOutletKind<Schema>,
    { store, sources, inputs, destinations, supervisor, clock, limits, publishAuth }: SourceOutletContext,
  ) {
    const { feature, schema } = kind;
    this.#kind = kind;
    const onChange = () => this.#processes.wake();
    this.#outlets = new Outlets({ store, feature, schema, destinations, limit: limits.slots, onChange });
    this.#sources = sources;
    this.#inputs = inputs;
    this.#clock = clock;
    this.#destinations = destinations;
    this.#limits = limits;
    this.#publishAuth = publishAuth;
    this.#processes = supervisor.scope(feature, () => this.#plan());
  }

  /** Sources of all slots. */
  readonly heldSources: SourceHolder = async () =>
    (await this.#outlets.list()).map(({ platform, files }) => ({
      slot: outletProcessKey(this.#kind.feature, platform),
      uuids: files,
    }));

  /** URLs of enabled slots that match. */
  async urls(fits: (slot: z.output<Schema>) => boolean = () => true): Promise<string[]> {
    return (await this.#outlets.list()).filter((slot) => slot.enabled && fits(slot)).map(outletUrl);
  }

  /** Streams of this server that its slots read by their addresses. */
  async copies(): Promise<{ from: string; to: string }[]> {
    const slots = (await this.#outlets.list()).filter(({ enabled }) => enabled);
    const copied = slots.map(async (slot) =>
      (await this.#placesOf(slot.files)).map((from) => ({ from, to: outletUrl(slot) })),
    );
    return (await Promise.all(copied)).flat();
  }

  async byPlatform(): Promise<Record<string, Omit<z.output<Schema>, 'files'> & { files: Source[] }>> {
    const slots = await this.#outlets.list();
    const shown = slots.map(async (slot) => [slot.platform, { ...slot, files: await this.#sources.get(slot.files) }]);
    return Object.fromEntries(await Promise.all(shown));
  }

  /** A client that leaves the files out keeps those the slot has. */
  async save(
    change: OutletChange & { files?: readonly SourceRef[] | undefined },
    fill: (current: z.output<Schema> | undefined) => Omit<z.output<Schema>, keyof SourceSlot>,
  ): Promise<void> {
    const platform = checkPlatform(this.#kind.feature, change.platform);
    const saved = (await this.#outlets.list()).find((slot) => slot.platform === platform);
    const files = change.files ? await this.#sources.idsOf(change.files) : (saved?.files ?? []);
    if (files.length === 0) throw new WeirError('missing_field', 'no files');
    const { server = '', secret = '', enabled } = change;
    if (enabled) await this.#inputs.refuseLoop(await this.#placesOf(files), outletUrl({ server, secret }));
    await this.#outlets.update(
      change,
      (current) => ({ ...fill(current), files }) as Omit<z.output<Schema>, keyof Outlet>,
    );
  }

  async remove(platform: string | undefined): Promise<void> {
    await this.#outlets.remove(platform);
  }

  /** Probes sources and assigns them to a slot, creating it if needed. The former source runs until they are accepted. */
  async choose(name: string, refs: readonly SourceRef[]): Promise<{ platform: string; files: Source[] }> {
    if (refs.length === 0) throw new WeirError('missing_field', 'no files');
    const { feature, accepts, blank } = this.#kind;
    const platform = checkPlatform(feature, name);
    const files = await this.#sources.accept(refs, { limitKbps: await this.#limits.kbps(), ...accepts });
    const uuids = files.map(({ uuid }) => uuid);
    const slot = (await this.#outlets.byPlatform())[platform];
    if (slot?.enabled) await this.#inputs.refuseLoop(await this.#placesOf(uuids), outletUrl(slot));
    await this.#outlets.edit(
      platform,
      (current) => ({ ...blank, ...current, files: uuids }) as Omit<z.output<Schema>, keyof Outlet>,
    );
    return { platform, files };
  }

  /** `fields`: what the feature adds to the row of a slot. */
  async rows<Fields extends object>(
    fields: (slot: z.output<Schema>, sources: readonly Source[], row: OutletRow) => Fields,
  ): Promise<(OutletRow & { files: Source[] } & Fields)[]> {
    const slots = await this.#outlets.list();
    return Promise.all(
      slots.map(async (slot) => {
        const files = await this.#sources.get(slot.files);
        const observed = this.#processes.observe(outletProcessKey(this.#kind.feature, slot.platform));
        const row = await outletRow(slot, { hasSource: files.length > 0, observed, inputs: this.#inputs });
        return { ...row, files: files.map(masked), ...fields(slot, files, row) };
      }),
    );
  }

  async alerts(): Promise<Alert[]> {
    const rows = await this.rows(() => ({}));
    return rows.flatMap((row) => outputAlert({ tab: this.#kind.feature, ...row }, this.#clock.dateMs()));
  }

  async activity(): Promise<Activity | undefined> {
    return processActivity((await this.rows(() => ({}))).map(({ process }) => process));
  }

  /** For others to read: nothing of addresses, names and keys. */
  async reported(fields: (slot: z.output<Schema>) => object): Promise<Record<string, unknown>> {
    const rows = await this.rows((slot) => ({ more: fields(slot) }));
    return {
      slots: rows.map(({ platform, enabled, custom, files, process: { state, failures, failure }, more }) => {
        const known = { platform, enabled, custom, sources: files.length };
        return { ...known, ...more, state, failures, cause: failure?.cause ?? '' };
      }),
    };
  }

  async #placesOf(uuids: readonly string[]): Promise<string[]> {
    const streams = (await this.#sources.get(uuids)).filter(({ type }) => type === 'stream');
    return (await Promise.all(streams.map(({ target }) => this.#inputs.ownPlacesAt(target)))).flat();
  }

  async #plan(): Promise<ProcessSpec[]> {
    const playing: Playing<Schema>[] = [];
    for (const slot of await this.#outlets.list()) {
      if (!slot.enabled || slot.server === '') continue;
      const sources = await this.#sources.get(slot.files);
      const reading = await this.#sources.readingOf(sources);
      if (reading) playing.push({ slot, sources, reading });
    }
    return Promise.all(playing.map((one) => this.#specOf(one)));
  }

  async #specOf({ slot, sources, reading }: Playing<Schema>): Promise<ProcessSpec> {
    const { input, open, secrets, limits } = reading;
    const typed = outletUrl(slot);
    const own = await this.#inputs.ownStreamOf(typed);
    // The saved key may hold an older one, or none.
    const secret = own === undefined ? undefined : await this.#publishAuth.secretFor(basename(own));
    const url = secret === undefined ? typed : withPublishSecret(typed, secret);
    return {
      key: outletProcessKey(this.#kind.feature, slot.platform),
      args: this.#kind.args(slot, input, sources, url),
      prepare: this.#destinations.prepare(url, async (to) => this.#kind.args(slot, await open(), sources, to)),
      secrets: [...(secret === undefined ? [] : [secret]), ...outletSecrets(slot), ...secrets],
      ...(own !== undefined && { makes: own }),
      ...limits,
    };
  }
}

/** Rows may be seen by bystanders, so they hold no camera password. */
function masked(source: Source): Source {
  if (source.type !== 'stream') return source;
  const hide = (url: string) => maskParam(url.replace(/^([a-z]+:\/\/[^/?#:]*):.*@/i, '$1:***@'));
  return { ...source, target: hide(source.target), path: hide(source.path) };
}
