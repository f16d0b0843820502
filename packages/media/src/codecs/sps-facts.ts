/** Facts that sequence parameter sets of both H.264 and H.265 contain. */
export interface SpsFacts {
  readonly width: number;
  readonly height: number;
  readonly profile: string;
  readonly level: string;
  readonly fps: number;
  readonly chromaFormat: number;
  readonly bitDepthLuma: number;
  readonly bitDepthChroma: number;
}
