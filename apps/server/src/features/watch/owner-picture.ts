import { createHash } from 'node:crypto';
import { type WatchPicture, watchLimits } from '@weir/contract';
import { pictureLimit } from '@weir/process/picture-limit';
import { WeirError } from '../../core/errors.ts';
import { Semaphore } from '../../core/semaphore.ts';
import type { StoredPicture } from './watch-repository.ts';

const bounds = { atOnce: 1, waiting: 20, refusal: 'too many pictures are being made, try again' };
const withinMs = 15_000;
const mostBytes = 1024 * 1024;
/** Lower priority than viewers and publishers. */
const niceness = 10;

/** Formats by their first bytes. SVG is not accepted, because it may contain scripts. */
const formats = [
  { demuxer: 'png_pipe', magic: Buffer.from('89504e470d0a1a0a', 'hex') },
  { demuxer: 'jpeg_pipe', magic: Buffer.from('ffd8ff', 'hex') },
];

/** Converts uploaded pictures for visitors: decoded, scaled down and encoded again, which removes metadata. */
export class OwnerPictures {
  readonly #programs = new Semaphore(bounds);

  async make(kind: WatchPicture, base64: string): Promise<StoredPicture> {
    const input = Buffer.from(base64, 'base64');
    if (input.length > watchLimits.pictureBytes) throw refusal('it is too large');
    const format = formats.find(({ magic }) => input.subarray(0, magic.length).equals(magic));
    if (!format) throw refusal('it must be a PNG or JPEG');
    // A logo keeps its transparency.
    const isLogo = kind === 'logo';
    const bytes = await this.#programs.run(() => convert(input, format.demuxer, isLogo));
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    return { version, type: isLogo ? 'image/png' : 'image/jpeg', base64: bytes.toString('base64') };
  }
}

async function convert(input: Buffer, demuxer: string, isLogo: boolean): Promise<Buffer> {
  const side = isLogo ? watchLimits.logoSide : watchLimits.pictureSide;
  const size = `scale='min(${side},iw)':'min(${side},ih)':force_original_aspect_ratio=decrease`;
  const output = isLogo ? ['-pix_fmt', 'rgba', '-c:v', 'png'] : ['-pix_fmt', 'yuvj420p', '-q:v', '4', '-c:v', 'mjpeg'];
  const args = [
    ...['-hide_banner', '-loglevel', 'error', '-threads', '1', '-protocol_whitelist', 'pipe', ...pictureLimit],
    ...['-f', demuxer, '-i', 'pipe:0', '-map', '0:v:0', '-map_metadata', '-1', '-frames:v', '1', '-vf', size],
    ...[...output, '-threads', '1', '-f', 'image2pipe', 'pipe:1'],
  ];
  // Loaded on first use, to save memory on idle servers.
  const { runTool } = await import('@weir/process');
  const { isMissing, code, cut, bytes } = await runTool({
    command: 'ffmpeg',
    args,
    input,
    niceness,
    withinMs,
    mostBytes,
  });
  if (isMissing) throw new WeirError('unavailable', 'ffmpeg is not installed, on Debian: apt-get install ffmpeg');
  if (code !== 0 || cut || bytes.length === 0) throw refusal('it cannot be decoded');
  return bytes;
}

function refusal(reason: string): WeirError {
  return new WeirError('invalid_input', `the picture cannot be used: ${reason}`);
}
