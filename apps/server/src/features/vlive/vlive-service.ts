import type { Source, SourceRef, VliveChange, VliveOutlet, VliveRow } from '@weir/contract';
import type { ProcessSpec, Scope, Supervisor } from '@weir/process';
import { WeirError } from '../../core/errors.ts';
import type { Store } from '../../core/store/store.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import { outletRow } from '../../outlets/outlet-row.ts';
import { checkPlatform } from '../../outlets/outlet-rules.ts';
import { outletUrl } from '../../outlets/outlet-url.ts';
import { Outlets } from '../../outlets/outlets.ts';
import type { Sources } from '../../sources/sources.ts';
import { planVlive, playingAt, type Reading, vliveKey } from './vlive-plan.ts';
import { VliveSlot } from './vlive-slot.ts';

interface Needs {
  readonly store: Store;
  readonly sources: Sources;
  readonly inputs: LiveInputs;
  readonly supervisor: Supervisor;
  readonly limit: number;
  /** The highest bit rate that a source may have when it is added. */
  readonly limitKbps: () => Promise<number>;
}

/** Files and streams from elsewhere, sent to platforms as if they were live. */
export class VliveService {
  readonly outlets: Outlets<typeof VliveSlot>;
  readonly #sources: Sources;
  readonly #limitKbps: () => Promise<number>;
  readonly #processes: Scope;

  constructor({ store, sources, inputs, supervisor, limit, limitKbps }: Needs) {
    const onChange = () => this.#processes.wake();
    this.outlets = new Outlets({ store, feature: 'vlive', schema: VliveSlot, limit, onChange });
    this.#sources = sources;
    this.#limitKbps = limitKbps;
    inputs.addOutputs(async () => (await this.outlets.list()).filter(({ enabled }) => enabled).map(outletUrl));
    sources.addHolder(async () =>
      (await this.outlets.list()).map(({ platform, files }) => ({ slot: vliveKey(platform), uuids: files })),
    );
    this.#processes = supervisor.scope('vlive', () => this.#plan());
  }

  async byPlatform(): Promise<Record<string, VliveOutlet>> {
    const slots = await this.outlets.list();
    const shown = slots.map(async (slot) => [slot.platform, { ...slot, files: await this.#sources.get(slot.files) }]);
    return Object.fromEntries(await Promise.all(shown));
  }

  /** A client that leaves the files out keeps those the slot has. */
  async save(change: VliveChange): Promise<void> {
    const platform = checkPlatform('vlive', change.platform);
    const saved = (await this.outlets.list()).find((slot) => slot.platform === platform);
    const files = change.files ? await this.#sources.idsOf(change.files) : (saved?.files ?? []);
    if (files.length === 0) throw new WeirError('missing_field', 'no files');
    await this.outlets.update(change, () => ({ files }));
  }

  /** Looks into sources and gives them to a slot, which is made if it was not there. What ran before goes on until they are accepted. */
  async choose(name: string, refs: readonly SourceRef[]): Promise<{ platform: string; files: Source[] }> {
    if (refs.length === 0) throw new WeirError('missing_field', 'no files');
    const platform = checkPlatform('vlive', name);
    const files = await this.#sources.accept(refs, { limitKbps: await this.#limitKbps() });
    await this.outlets.edit(platform, () => ({ files: files.map(({ uuid }) => uuid) }));
    return { platform, files };
  }

  async rows(): Promise<VliveRow[]> {
    const slots = await this.outlets.list();
    return Promise.all(
      slots.map(async (slot) => {
        const files = await this.#sources.get(slot.files);
        const row = outletRow(slot, files.length > 0, this.#processes.observe(vliveKey(slot.platform)));
        // Absent while nothing runs, as the other fields of a run.
        const source = row.start === undefined ? undefined : playingAt(files, row.process.numbers?.mediaMs ?? 0)?.uuid;
        return { ...row, files: files.map(masked), ...(source !== undefined && { source }) };
      }),
    );
  }

  async #plan(): Promise<ProcessSpec[]> {
    const slots = await this.outlets.list();
    const readings = new Map<string, Reading>();
    for (const { platform, enabled, files } of slots) {
      const reading = enabled ? await this.#sources.readingOf(await this.#sources.get(files)) : undefined;
      if (reading) readings.set(platform, reading);
    }
    return planVlive(slots, readings);
  }
}

/** Rows are shown to whoever looks over a shoulder: without the password of a camera. */
function masked(source: Source): Source {
  if (source.type !== 'stream') return source;
  const hide = (url: string) => url.replace(/^([a-z]+:\/\/[^/?#:]*):.*@/i, '$1:***@');
  return { ...source, target: hide(source.target), path: hide(source.path) };
}
