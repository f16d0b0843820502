import { Child } from '@weir/process';
import { badRequest } from '../http/ai-http-error.ts';
import { readImageSize } from './image-size.ts';
import type { RgbImage } from './pixels.ts';

/** Of an image as it comes; a small file can claim any size. */
const mostPixels = 50_000_000;
/** Larger images are read at this length of their longer side. */
const longestSide = 1920;
const withinMs = 20_000;

/** An image as pixels. A program of its own decodes it: images are a known way into one. */
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
