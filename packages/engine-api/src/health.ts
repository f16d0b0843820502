import {
  type ListenerNote,
  type ListenerProtocol,
  listenerNotes,
  listenerProtocols,
  MessageFields,
} from '@weir/streams';

/** Public port of the engine. `note` explains why `ready` is false. */
export interface ListenerState {
  readonly protocol: ListenerProtocol;
  readonly port: number;
  readonly ready: boolean;
  readonly note: ListenerNote;
}

/** Recent unexpected exits of one kind of worker. */
interface WorkerExits {
  /** Protocol of the worker. */
  readonly worker: string;
  /** In the last hour. */
  readonly count: number;
  readonly lastAt: string;
  readonly reason: string;
}

export interface EngineHealth {
  /** Distinguishes one run of the engine from the next. */
  readonly startedAt: string;
  readonly listeners: readonly ListenerState[];
  /** Version of libsrt; empty until it is loaded. */
  readonly srtVersion: string;
  readonly deaths: readonly WorkerExits[];
}

const mostListeners = 100;
const mostWorkers = 100;

export function decodeHealth(data: unknown): EngineHealth {
  const fields = new MessageFields(data);
  return {
    startedAt: fields.text('startedAt', { least: 1, most: 64 }),
    listeners: fields.list('listeners', mostListeners, decodeListener),
    srtVersion: fields.text('srtVersion', { most: 64, fallback: '' }),
    deaths: fields.has('deaths') ? fields.list('deaths', mostWorkers, decodeExits) : [],
  };
}

function decodeListener(value: unknown): ListenerState {
  const fields = new MessageFields(value);
  return {
    protocol: fields.oneOf('protocol', listenerProtocols),
    port: fields.whole('port'),
    ready: fields.flag('ready'),
    note: fields.has('note') ? fields.oneOf('note', listenerNotes) : '',
  };
}

function decodeExits(value: unknown): WorkerExits {
  const fields = new MessageFields(value);
  return {
    worker: fields.text('worker', { most: 64 }),
    count: fields.whole('count'),
    lastAt: fields.text('lastAt', { most: 64 }),
    reason: fields.text('reason'),
  };
}
