/** One public port as the health answer shows it. */
export interface ListenerState {
  readonly protocol: 'http' | 'https' | 'rtmp' | 'rtc' | 'srt';
  readonly port: number;
  readonly ready: boolean;
  readonly note: string;
}

/** One way in and out for media. What it needs to know it is told when it is made; ports are taken by `open`. */
export interface ProtocolServer {
  /** Its own port. Undefined for a protocol that comes in through the front door. */
  readonly listener: ListenerState | undefined;
  /** Where it has several ports: all of them. */
  readonly listeners?: readonly ListenerState[];
  /** Throws StartError where the engine should not run without it. */
  open(): Promise<void>;
  /** Takes nobody in any more and lets go of everybody. Resolves when that is done. */
  close(): Promise<void>;
}
