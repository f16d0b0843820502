/** One finished HLS segment on its way through the consumers. */
export interface Segment {
  /** The same after a restart: taking a segment twice can be noticed. */
  readonly id: string;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly clientId: string;
  /** There until every consumer is done with it. */
  readonly file: string;
  readonly durationMs: number;
  readonly sequence: number;
  /** Does not continue the segment before it; undefined where the media server does not tell. */
  readonly isDiscontinuity: boolean | undefined;
}
