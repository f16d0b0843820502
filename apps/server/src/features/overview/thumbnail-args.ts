/** The longer side of a thumbnail, enough for a card on a dense screen. */
const longest = 480;
/** Larger pictures than 8K are no video that anybody publishes; a decoder must not fill the memory with one. */
const mostPixels = 8192 * 8192;

/** Converts one frame from standard input to a small JPEG on standard output. */
export function thumbnailArgs(): string[] {
  const size = `scale='min(${longest},iw)':'min(${longest},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`;
  return [
    '-hide_banner',
    '-loglevel',
    'error',
    '-threads',
    '1',
    '-max_pixels',
    String(mostPixels),
    '-protocol_whitelist',
    'pipe',
    '-f',
    'mov',
    '-i',
    'pipe:0',
    '-map',
    '0:v:0',
    '-frames:v',
    '1',
    '-an',
    '-vf',
    size,
    '-q:v',
    '6',
    '-threads',
    '1',
    '-c:v',
    'mjpeg',
    '-f',
    'image2pipe',
    'pipe:1',
  ];
}
