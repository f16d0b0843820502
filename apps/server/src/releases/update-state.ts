import { closeSync, constants, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UpdateState } from '@weir/contract';
import * as z from 'zod';
import { settingsBeforeUpdate } from '../core/store/older-settings.ts';
import { isVersion } from './release-version.ts';

const mostBytes = 4096;
const mostDetail = 300;

/** State with a mark of whom the end was told. */
const StoredState = UpdateState.extend({ isTold: z.boolean().default(false), isConfirmed: z.boolean().default(false) });
export type StoredState = z.output<typeof StoredState>;

/** What the server asks the part that runs as root for. */
const UpdateRequest = z.object({ version: z.string().refine(isVersion) });

/** Files through which the server and the part that runs as root tell each other how far an update is. Both sides write as the user of the service; a link that somebody put there is not followed. */
export class UpdateFiles {
  readonly folder: string;
  readonly #settings: string;

  constructor(dataDir: string) {
    this.#settings = join(dataDir, settingsBeforeUpdate);
    this.folder = dirname(this.#settings);
  }

  /** The downloaded release with its checksums and their signature. */
  get download(): string {
    return join(this.folder, 'download');
  }

  /** The settings as they were before the update. */
  get settings(): string {
    return this.#settings;
  }

  prepare(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    rmSync(this.download, { recursive: true, force: true });
    mkdirSync(this.download, { mode: 0o700 });
  }

  /** Undefined if there was no update, or its file is damaged. */
  readState(): StoredState | undefined {
    return parse(StoredState, readSmall(join(this.folder, 'state.json')));
  }

  writeState(state: StoredState): void {
    this.#write('state.json', { ...state, detail: state.detail.slice(0, mostDetail) });
  }

  ask(version: string): void {
    this.#write('request.json', { version });
  }

  isAsked(): boolean {
    return readSmall(join(this.folder, 'request.json')) !== undefined;
  }

  /** Takes the request away, so that it is carried out once. Undefined if there is none, or none that can be read. */
  takeRequest(): { readonly version: string } | undefined {
    const file = join(this.folder, 'request.json');
    const request = parse(UpdateRequest, readSmall(file));
    rmSync(file, { force: true });
    return request;
  }

  dropRequest(): void {
    rmSync(join(this.folder, 'request.json'), { force: true });
  }

  removeDownload(): void {
    rmSync(this.download, { recursive: true, force: true });
  }

  #write(name: string, value: object): void {
    const partial = join(this.folder, `${name}.partial`);
    rmSync(partial, { force: true });
    const file = openSync(partial, 'wx', 0o600);
    try {
      writeSync(file, JSON.stringify(value));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, join(this.folder, name));
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string | undefined): z.output<Schema> | undefined {
  try {
    return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A file of this size at most; undefined if there is none. */
function readSmall(path: string): string | undefined {
  let file: number;
  try {
    // A pipe in its place would make the reader wait for ever.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const bytes = Buffer.alloc(mostBytes);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
