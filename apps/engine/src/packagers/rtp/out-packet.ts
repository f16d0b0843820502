/** One packet of a stream, made once for all viewers. Its header is written for each of them. */
export interface OutPacket {
  readonly payload: Buffer;
  /** Octets at its end that only fill it up. */
  readonly padding: number;
  readonly isVideo: boolean;
  /** Counts the packets of its track, without end. */
  readonly sequence: number;
  /** On the clock of its track, before a viewer's offset; without end. */
  readonly timestamp: number;
  readonly isMarker: boolean;
  /** Counts pictures. */
  readonly picture: number;
  /** The first packet of a keyframe: a viewer can start here. */
  readonly isEntry: boolean;
}
