/** One packet of a stream, made once for all viewers. Its header is written for each of them. */
export interface OutPacket {
  readonly payload: Buffer;
  /**
   * First octet of VP9's descriptor; undefined of other codecs. It and the id of the picture stand before the payload, and are written for
   * each viewer, who sees ids that count on through all qualities.
   */
  readonly vp9Flags?: number | undefined;
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
