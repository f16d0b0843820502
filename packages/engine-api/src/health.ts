import {
  decodeProcessExit,
  type ListenerNote,
  type ListenerProtocol,
  listenerNotes,
  listenerProtocols,
  MessageFields,
  type ProcessExit,
} from '@weir/streams';

/** Public port of the engine. `note` explains why `ready` is false. */
export interface ListenerState {
  readonly protocol: ListenerProtocol;
  readonly port: number;
  readonly ready: boolean;
  readonly note: ListenerNote;
}

const workerNames = ['srt', 'rtc', 'delivery'] as const;
export type WorkerName = (typeof workerNames)[number];

/** Unexpected exits of one worker in the last hour. */
export interface WorkerExits {
  readonly worker: WorkerName;
  readonly count: number;
  readonly last: ProcessExit;
}

export interface EngineHealth {
  /** Distinguishes one run of the engine from the next. */
  readonly startedAt: string;
  readonly listeners: readonly ListenerState[];
  /** Version of libsrt; empty until it is loaded. */
  readonly srtVersion: string;
  readonly workerExits: readonly WorkerExits[];
}

const mostListeners = 100;
const mostWorkers = 100;

export function decodeHealth(data: unknown): EngineHealth {
  const fields = new MessageFields(data);
  return {
    startedAt: fields.text('startedAt', { least: 1, most: 64 }),
    listeners: fields.list('listeners', mostListeners, decodeListener),
    srtVersion: fields.text('srtVersion', { most: 64, fallback: '' }),
    workerExits: fields.has('workerExits') ? fields.list('workerExits', mostWorkers, decodeExits) : [],
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
    worker: fields.oneOf('worker', workerNames),
    count: fields.whole('count'),
    last: fields.part('last', decodeProcessExit),
  };
}
