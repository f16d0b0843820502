import {
  MalformedMessage,
  MessageFields,
  maxNameLength,
  type PlayProtocol,
  playProtocols,
  type SampleTable,
  type WirePlace,
} from '@weir/streams';
import { decodePlace } from './place.ts';

/** Samples of the whole server and of each stream that is or was live. */
export interface EngineSamples {
  readonly server: SampleTable;
  readonly streams: readonly MeasuredStream[];
}

interface MeasuredStream extends WirePlace {
  readonly isLive: boolean;
  readonly samples: SampleTable;
}

export interface EngineServerSamples {
  readonly seconds: SampleTable;
  /** Descriptors in use and allowed; undefined where the system does not report them. */
  readonly openFiles?: { readonly used: number; readonly most: number } | undefined;
}

export interface EngineStreamSamples {
  readonly seconds: SampleTable;
  readonly viewers: readonly ConnectedViewer[];
}

/** Viewer of one stream. */
interface ConnectedViewer {
  /** Id of the client in SRS's API. */
  readonly id: string;
  readonly protocol: PlayProtocol;
  readonly address: string;
  readonly since: string;
  readonly bytes: number;
  readonly kbps: number;
  readonly droppedFrames: number;
  /** Null if the protocol does not report it. */
  readonly rttMs: number | null;
  readonly behindMs: number | null;
  readonly isSlow: boolean;
}

/** Listed viewers of one stream; the others are only counted. */
export const mostListedViewers = 500;
const mostStreams = 20_000;
const mostRows = 10_000;
const mostColumns = 100;
/** Vhost, app and name with their separators. */
const longestKey = 3 * maxNameLength + 8;

/** Milliseconds since 1970, in a query. */
export function decodeSince(body: unknown): { readonly since: number } {
  const text = new MessageFields(body).text('since');
  if (!/^\d{1,16}$/.test(text)) throw new MalformedMessage('since', 'must be a moment in milliseconds');
  return { since: Number(text) };
}

/** The engine's key of a stream (`streamKey`). */
export function decodeStreamKey(body: unknown): { readonly key: string } {
  return { key: new MessageFields(body).text('key', { least: 1, most: longestKey }) };
}

export function decodeSamples(data: unknown): EngineSamples {
  const fields = new MessageFields(data);
  return {
    server: fields.part('server', decodeTable),
    streams: fields.list('streams', mostStreams, decodeMeasuredStream),
  };
}

export function decodeServerSamples(data: unknown): EngineServerSamples {
  const fields = new MessageFields(data);
  return {
    seconds: fields.part('seconds', decodeTable),
    openFiles: fields.has('openFiles') ? fields.part('openFiles', decodeOpenFiles) : undefined,
  };
}

export function decodeStreamSamples(data: unknown): EngineStreamSamples {
  const fields = new MessageFields(data);
  return {
    seconds: fields.part('seconds', decodeTable),
    viewers: fields.list('viewers', mostListedViewers, decodeViewer),
  };
}

function decodeMeasuredStream(value: unknown): MeasuredStream {
  const fields = new MessageFields(value);
  return { ...decodePlace(value), isLive: fields.flag('isLive'), samples: fields.part('samples', decodeTable) };
}

/** Names of columns are compared where they are used. The numbers are checked in place: a hundred streams send two thousand a second. */
function decodeTable(value: unknown): SampleTable {
  const fields = new MessageFields(value);
  const at = fields.value('at');
  if (!isListOf(at, (each) => Number.isFinite(each)) || at.length > mostRows) {
    throw new MalformedMessage('at', 'must be a list of numbers');
  }
  const columns = fields.value('columns');
  if (typeof columns !== 'object' || columns === null || Array.isArray(columns)) {
    throw new MalformedMessage('columns', 'must be an object');
  }
  const names = Object.keys(columns);
  if (names.length > mostColumns) throw new MalformedMessage('columns', `must have at most ${mostColumns} entries`);
  for (const name of names) {
    const column: unknown = (columns as Record<string, unknown>)[name];
    if (!isListOf(column, isSample) || column.length !== at.length) {
      throw new MalformedMessage(`columns.${name}`, 'must have a number or null for each moment');
    }
  }
  return { at: at as number[], columns: columns as SampleTable['columns'] };
}

function isSample(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

function isListOf(value: unknown, fits: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(fits);
}

function decodeOpenFiles(value: unknown): { used: number; most: number } {
  const fields = new MessageFields(value);
  return { used: fields.number('used'), most: fields.number('most') };
}

function decodeViewer(value: unknown): ConnectedViewer {
  const fields = new MessageFields(value);
  return {
    id: fields.text('id', { least: 1, most: maxNameLength }),
    protocol: fields.oneOf('protocol', playProtocols),
    address: fields.text('address', { most: maxNameLength }),
    since: fields.text('since', { most: 64 }),
    bytes: fields.number('bytes'),
    kbps: fields.number('kbps'),
    droppedFrames: fields.number('droppedFrames'),
    rttMs: decodeMs(fields, 'rttMs'),
    behindMs: decodeMs(fields, 'behindMs'),
    isSlow: fields.optionalFlag('isSlow') ?? false,
  };
}

function decodeMs(fields: MessageFields, name: string): number | null {
  const value = fields.value(name) ?? null;
  if (value !== null && !Number.isFinite(value)) throw new MalformedMessage(name, 'must be a number or null');
  return value as number | null;
}
