/** RTMP message, assembled from its chunks. The payload may be a view of the received bytes. */
export interface RtmpMessage {
  readonly type: number;
  readonly streamId: number;
  /** Milliseconds, 32 bits as on the wire: it wraps after 49.7 days. */
  readonly timestamp: number;
  readonly payload: Buffer;
}

/** RTMP 1.0, sections 5.4 and 7.1. */
export const messageType = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowAckSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  commandAmf3: 17,
  data: 18,
  command: 20,
  aggregate: 22,
} as const;

/** RTMP 1.0, section 7.1.7. */
export const userControl = {
  streamBegin: 0,
  streamEof: 1,
  setBufferLength: 3,
  pingRequest: 6,
  pingResponse: 7,
} as const;
