import type { ChatMessage } from '../ai.ts';
import type { ChatWire } from './openai-wire.ts';

/** The body of a chat. What is not said stays out: some servers refuse a null. */
export function plainBody({ model, messages, maxTokens, temperature }: ChatWire): object {
  // These take no system text, do not stream, and count tokens in their own way.
  if (isPlain(model)) return { model, messages: messages.map(asUser) };
  return {
    model,
    messages,
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
  };
}

/** The same for an answer in pieces, where the model can. */
export function chatBody(ask: ChatWire): { body: object; isStreamed: boolean } {
  if (isPlain(ask.model)) return { body: plainBody(ask), isStreamed: false };
  return { body: { ...plainBody(ask), stream: true, stream_options: { include_usage: true } }, isStreamed: true };
}

/** A question about an image, which comes last. */
export function imageBody(ask: ChatWire & { readonly image: Uint8Array; readonly prompt: string }): object {
  const { model, messages, image, prompt, maxTokens } = ask;
  const url = `data:image/jpeg;base64,${Buffer.from(image).toString('base64')}`;
  const content = [
    { type: 'text', text: prompt },
    { type: 'image_url', image_url: { url } },
  ];
  return {
    model,
    messages: [...(isPlain(model) ? messages.map(asUser) : messages), { role: 'user', content }],
    ...(maxTokens !== undefined && !isPlain(model) && { max_tokens: maxTokens }),
  };
}

function isPlain(model: string): boolean {
  return model.startsWith('o1-');
}

function asUser(message: ChatMessage): ChatMessage {
  return message.role === 'system' ? { ...message, role: 'user' } : message;
}
