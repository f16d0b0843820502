/** A codec as people write it, with whatever follows: `H264 High` → `H.264 High`. */
export function formatCodec(codec: string): string {
  return codec.replace(/^H26(?=[45])/, 'H.26');
}
