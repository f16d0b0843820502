import type { Listen } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import { type StreamPlace, streamKey } from '@weir/streams';
import type { NameState } from '../../../hub/hub.ts';
import { ClientReports } from '../../../workers/worker/client-reports.ts';
import { RemoteAdmission } from '../../../workers/worker/remote-admission.ts';
import type { WorkerContext } from '../../../workers/worker/run-worker.ts';
import type { SrtEngineNote, SrtWorkerNote, SrtWorkerSettings } from '../srt-notes.ts';
import { NoFilter } from './libsrt/filtered-socket.ts';
import { loadSrtLibrary } from './libsrt/srt-library.ts';
import { SrtCallers } from './srt-callers.ts';

/** Stream names, as the engine last sent them. */
class KnownNames {
  readonly #names = new Map<string, NameState>();

  update(names: readonly (readonly [key: string, NameState])[]): void {
    for (const [key, state] of names) {
      if (state === 'gone') this.#names.delete(key);
      else this.#names.set(key, state);
    }
  }

  find(place: StreamPlace): { readonly isLive: boolean } | undefined {
    const state = this.#names.get(streamKey(place));
    return state && { isLive: state === 'live' };
  }
}

type Context = WorkerContext<SrtEngineNote, SrtWorkerNote, SrtWorkerSettings>;

/** The SRT process: handles the engine's messages and owns the library, callers and mirrored streams. */
export class SrtWorker {
  readonly #context: Context;
  readonly #reports: ClientReports;
  readonly #admission: RemoteAdmission;
  readonly #names = new KnownNames();
  #canWait = false;
  #callers: SrtCallers | undefined;

  constructor(context: Context) {
    this.#context = context;
    const { link, streams } = context;
    this.#reports = new ClientReports((note) => link.tell(note), false);
    this.#admission = new RemoteAdmission({ link, reports: this.#reports, streams });
    void this.#load();
  }

  onNote(note: SrtEngineNote): void {
    switch (note.type) {
      case 'listen':
        void this.#listen(note.listen);
        return;
      case 'names':
        this.#names.update(note.names);
        return;
      case 'waiting':
        this.#canWait = note.isOpen;
        return;
      case 'look':
        this.#reports.look();
        return;
      case 'admitted':
      case 'refused':
      case 'end':
        this.#admission.onNote(note);
    }
  }

  async close(): Promise<void> {
    await this.#callers?.close();
    this.#reports.close();
  }

  async #load(): Promise<void> {
    const { settings, link, log } = this.#context;
    try {
      const library = await loadSrtLibrary(settings.library);
      this.#callers = new SrtCallers({
        library,
        settings,
        names: this.#names,
        admission: this.#admission,
        log,
        canWait: () => this.#canWait,
      });
      link.tell({ type: 'ready', version: library.version });
    } catch (error) {
      link.tell({ type: 'failed', note: 'no-library', reason: errorMessage(error) });
    }
  }

  async #listen(listen: Listen): Promise<void> {
    try {
      const port = await this.#callers?.listen(listen);
      if (port !== undefined) this.#context.link.tell({ type: 'listening', port });
    } catch (error) {
      const note = error instanceof NoFilter ? 'no-filter' : 'port-taken';
      this.#context.link.tell({ type: 'failed', note, reason: errorMessage(error) });
    }
  }
}
