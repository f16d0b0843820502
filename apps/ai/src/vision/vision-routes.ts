import { stat } from 'node:fs/promises';
import { localAiPaths } from '@weir/local-ai';
import { FairQueue } from '../fair-queue.ts';
import { AiHttpError, badRequest } from '../http/ai-http-error.ts';
import { readJson } from '../http/request-body.ts';
import { type RequestContext, type Routes, sendJson } from '../http/routes.ts';
import { decodeImage } from './decode-image.ts';
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
