import {
  postProcessCopy,
  RecordGlobs,
  type RecordSettings,
  type RecordStorageRule,
  switchStreamRecording,
} from '@weir/contract';
import type { SegmentFormatName } from '@weir/streams';
import { WeirError } from '../../core/errors.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import type { Finisher } from './finish/finisher.ts';
import type { RecordSettingsRepository } from './record-settings.ts';
import type { Recorder } from './recorder/recorder.ts';
import type { StorageGovernor } from './storage/storage-governor.ts';

interface Context {
  readonly home: string;
  readonly settings: RecordSettingsRepository;
  /** Re-evaluates whether the engine must write segments. */
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly recorder: Pick<Recorder, 'switched' | 'endStream' | 'endUnchosen'>;
  readonly finisher: Pick<Finisher, 'wake'>;
  readonly governor: Pick<StorageGovernor, 'report' | 'wake' | 'check'>;
  /** Throws when a typed directory may not be used. */
  readonly copyDirectory: (typed: string) => Promise<string>;
}

/** Settings of recording, and the effects of their changes. */
export class RecordSettingsService {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async query(): Promise<RecordSettings> {
    const { settings, home, governor } = this.#context;
    const stored = await settings.read();
    return { ...stored, home, storage: await governor.report() };
  }

  async apply(all: boolean): Promise<void> {
    const { settings, recorder, segments } = this.#context;
    const { all: wasOn } = await settings.read();
    await settings.change({ all });
    if (all !== wasOn) recorder.switched();
    await segments.changed();
  }

  async setGlobs(globs: string[]): Promise<void> {
    await this.#context.settings.change({ globs });
  }

  /** Adds or removes the stream's own name; a recording of it in progress ends at once. */
  async switchStream(place: { app: string; stream: string }, isOn: boolean): Promise<void> {
    const { settings, recorder, segments } = this.#context;
    const { all: wasOn } = await settings.read();
    const { all } = await settings.change((current) => {
      const next = switchStreamRecording(current, place, isOn);
      if (!next) throw new WeirError('invalid_input', 'another rule records this stream: change the rules');
      const globs = RecordGlobs.safeParse([...next.globs]);
      if (!globs.success) throw new WeirError('invalid_input', 'there are too many rules: remove some first');
      return { all: next.all, globs: globs.data };
    });
    if (all !== wasOn) recorder.switched();
    await segments.changed();
    if (!isOn) await recorder.endStream(place);
  }

  async setPostProcessing(kind: string, directory: string): Promise<void> {
    if (kind !== postProcessCopy) throw new WeirError('invalid_input', `postProcess: must be ${postProcessCopy}`);
    if (directory !== '') await this.#context.copyDirectory(directory);
    await this.#context.settings.change({ processCpDir: directory });
  }

  async setSubtitles(subtitles: boolean): Promise<void> {
    await this.#context.settings.change({ subtitles });
  }

  /** For recordings that begin from now on. */
  async setSegmentFormat(segmentFormat: SegmentFormatName): Promise<void> {
    await this.#context.settings.change({ segmentFormat });
    await this.#context.segments.changed();
  }

  /** Recordings of a quality that is not chosen any more end. */
  async setQualities(qualities: readonly string[]): Promise<void> {
    const { settings, recorder, segments } = this.#context;
    await settings.change({ qualities: [...new Set(qualities)] });
    await segments.changed();
    await recorder.endUnchosen();
  }

  async setStorage(rule: RecordStorageRule): Promise<void> {
    const { settings, governor, finisher } = this.#context;
    await settings.change({ rule });
    governor.wake();
    await governor.check();
    finisher.wake();
  }
}
