import { stat } from 'node:fs/promises';
import { localAiPaths } from '@weir/local-ai';
import { Child } from '@weir/process';
import { AiHttpError, badRequest } from '../ai-http-error.ts';
import { FairQueue } from '../fair-queue.ts';
import { readJson } from '../request-body.ts';
import { type RequestContext, type Routes, sendJson } from '../routes.ts';
import type { RgbImage } from './pixels.ts';
import type { VisionThread } from './vision-thread.ts';

const mostBytes = 24 * 1024 * 1024;
const modelId = 'pp-ocr';

/** Lists PP-OCR if it is installed. */
export async function visionModels(modelsDir: string) {
  const { ocr, onnxruntime } = localAiPaths(modelsDir);
  const found = await Promise.all(
    [ocr.keys, onnxruntime].map((path) =>
      stat(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean) ? [{ id: modelId, name: 'PP-OCRv4', languages: ['zh', 'en'] }] : [];
}

/** Chat with an image; the answer is its text, one line per line. */
export function visionRoutes(thread: VisionThread, modelsDir: string): Routes {
  const queue = new FairQueue({ parallel: 1, mostPerCaller: 4, mostWaiting: 16 });

  async function completions(exchange: RequestContext): Promise<void> {
    const { request, signal } = exchange;
    const fields = await readJson(request, mostBytes);
    const image = findImage(fields.messages);
    const isKnown = fields.model === modelId && (await visionModels(modelsDir)).length > 0;
    if (!isKnown || !image)
      throw new AiHttpError(
        400,
        'model_not_found',
        'Built-in AI cannot answer this request. Send an image with the model pp-ocr.',
      );
    const caller = typeof fields.user === 'string' ? fields.user : request.socket;
    const lines = await queue.run(caller, signal, async () => thread.read(await decodeImage(image, signal)));
    if (fields.stream === true) answerStream(exchange, lines);
    else
      sendJson(exchange, {
        ...envelope('chat.completion'),
        choices: [choice({ message: { role: 'assistant', content: lines.join('\n') } }, 'stop')],
        usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      });
  }

  return { 'POST /v1/chat/completions': completions };
}

const envelope = (object: string) => ({
  id: `chatcmpl-${modelId}`,
  object,
  created: Math.floor(Date.now() / 1000),
  model: modelId,
});
const choice = (content: object, finish: 'stop' | null) => ({ index: 0, ...content, finish_reason: finish });

function answerStream({ response }: RequestContext, lines: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const send = (delta: object, finish: 'stop' | null) =>
    response.write(
      `data: ${JSON.stringify({ ...envelope('chat.completion.chunk'), choices: [choice({ delta }, finish)] })}\n\n`,
    );
  for (const [index, line] of lines.entries())
    send({ ...(index === 0 && { role: 'assistant' }), content: index === 0 ? line : `\n${line}` }, null);
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

/** Last image in the messages. Only embedded images are accepted; nothing is fetched. */
function findImage(messages: unknown): Buffer | undefined {
  if (!Array.isArray(messages)) throw badRequest('There are no messages.');
  const parts = messages.flatMap((message: unknown) => {
    const content =
      typeof message === 'object' && message !== null && 'content' in message ? message.content : undefined;
    return Array.isArray(content) ? (content as unknown[]) : [];
  });
  const addresses = parts.flatMap((part) => (isImagePart(part) ? [part.image_url.url] : []));
  const [, base64] = /^data:image\/(?:jpeg|jpg|png);base64,(.*)$/s.exec(addresses.at(-1) ?? '') ?? [];
  if (addresses.length > 0 && base64 === undefined) throw badRequest('The image must be a data: URL of a JPEG or PNG.');
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

function isImagePart(part: unknown): part is { image_url: { url: string } } {
  const image = typeof part === 'object' && part !== null && 'image_url' in part ? part.image_url : undefined;
  return typeof image === 'object' && image !== null && 'url' in image && typeof image.url === 'string';
}

/** Limit on declared dimensions; a small file can claim any size. */
const mostPixels = 50_000_000;
/** Larger images are scaled to this length. */
const longestSide = 1920;
const withinMs = 20_000;

/** Decodes an image in a separate ffmpeg process, because image decoders are a common attack target. */
async function decodeImage(image: Buffer, signal: AbortSignal): Promise<RgbImage> {
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
