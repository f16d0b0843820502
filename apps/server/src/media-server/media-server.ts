import type { IncomingMessage } from 'node:http';
import type { Listener } from '@weir/contract';

export interface EngineHealth {
  readonly startedAt: string;
  readonly listeners: readonly Listener[];
}

/** Whatever carries the media. Today the embedded engine; the same calls fit a separate SRS. */
export interface MediaServer {
  health(): Promise<EngineHealth>;
  /** Passes one call of the SRS API on; `path` starts with `/api/` and holds no credential. */
  api(method: string, path: string, body: Buffer | undefined): Promise<IncomingMessage>;
}
