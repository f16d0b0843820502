import type { ListenerState } from '@weir/engine-api';

/** Server of a media protocol. Dependencies come with the constructor; `open` binds ports. */
export interface ProtocolServer {
  /** Port of its own; undefined for a protocol behind the front door. */
  readonly listener: ListenerState | undefined;
  /** All ports, if it has several. */
  readonly listeners?: readonly ListenerState[];
  /** Throws StartError where the engine should not run without it. */
  open(): Promise<void>;
  /** Refuses new clients and disconnects all others. Resolves when done. */
  close(): Promise<void>;
}
