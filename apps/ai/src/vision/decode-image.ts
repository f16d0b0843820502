import { Child } from '@weir/process';
import { badRequest } from '../http/ai-http-error.ts';
import type { RgbImage } from './pixels.ts';

/** Limit on declared dimensions; a small file can claim any size. */
const mostPixels = 50_000_000;
/** Larger images are scaled to this length. */
const longestSide = 1920;
const withinMs = 20_000;

/** Decodes an image in a separate ffmpeg process, because image decoders are a common attack target. */
export async function decodeImage(image: Buffer, signal: AbortSignal): Promise<RgbImage> {
  const size = readImageSize(image);
  if (!size || size.width * size.height > mostPixels)
    throw badRequest('The image must be a JPEG or PNG of at most 50 megapixels.');
  const scale = Math.min(1, longestSide / Math.max(size.width, size.height));
  const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ];
  const from = ['-v', 'error', '-protocol_whitelist', 'pipe', '-f', size.format, '-i', 'pipe:0'];
  const to = ['-frames:v', '1', '-vf', `scale=${width}:${height}`, '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1'];
  const pixels = Buffer.alloc(width * height * 3);
  let bytes = 0;
  const child = new Child({
    command: 'ffmpeg',
    args: ['-nostdin', '-threads', '1', ...from, ...to],
    graceMs: withinMs,
    onOutput(chunk) {
      bytes += chunk.copy(pixels, bytes);
    },
  });
  const stop = () => child.kill();
  signal.addEventListener('abort', stop, { once: true });
  child.write(image);
  const end = await child.stop();
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (end.isMissing) throw new Error('ffmpeg is not installed');
  if (bytes !== pixels.length) throw badRequest('The image cannot be decoded.');
  return { width, height, pixels };
}

interface ImageSize {
  /** ffmpeg demuxer name. */
  readonly format: 'jpeg_pipe' | 'png_pipe';
  readonly width: number;
  readonly height: number;
}

/** Reads the dimensions of a JPEG or PNG; undefined for anything else. */
export function readImageSize(image: Buffer): ImageSize | undefined {
  const size = image.length < 32 ? undefined : (pngSize(image) ?? jpegSize(image));
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

function pngSize(image: Buffer): ImageSize | undefined {
  const isPng = image.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' && image.toString('latin1', 12, 16) === 'IHDR';
  return isPng ? { format: 'png_pipe', width: image.readUInt32BE(16), height: image.readUInt32BE(20) } : undefined;
}

/** JPEG markers carry their length; a frame header (C0 to CF except C4, C8 and CC) has the dimensions. */
function jpegSize(image: Buffer): ImageSize | undefined {
  if (image.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < image.length; ) {
    if (image[at] !== 0xff) return undefined;
    const marker = image[at + 1] ?? 0;
    // Fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { format: 'jpeg_pipe', width: image.readUInt16BE(at + 7), height: image.readUInt16BE(at + 5) };
    at += 2 + Math.max(2, image.readUInt16BE(at + 2));
  }
  return undefined;
}
