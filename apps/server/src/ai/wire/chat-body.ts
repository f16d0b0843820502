import type { ChatMessage } from '../ai.ts';
import type { ChatWire } from './openai-wire.ts';

/** The body of a chat. What is not said stays out: some servers refuse a null. */
export function chatBody(ask: ChatWire): { body: object; isStreamed: boolean } {
  const { model, messages, maxTokens, temperature } = ask;
  // These take no system text, do not stream, and count tokens in their own way.
  if (model.startsWith('o1-')) return { body: { model, messages: messages.map(asUser) }, isStreamed: false };
  const body = {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
  };
  return { body, isStreamed: true };
}

/** A question about an image, which comes last. */
export function imageBody(ask: ChatWire & { readonly image: Uint8Array; readonly prompt: string }): object {
  const { model, messages, image, prompt, maxTokens } = ask;
  const url = `data:image/jpeg;base64,${Buffer.from(image).toString('base64')}`;
  const content = [
    { type: 'text', text: prompt },
    { type: 'image_url', image_url: { url } },
  ];
  const isPlain = model.startsWith('o1-');
  return {
    model,
    messages: [...(isPlain ? messages.map(asUser) : messages), { role: 'user', content }],
    ...(maxTokens !== undefined && !isPlain && { max_tokens: maxTokens }),
  };
}

function asUser(message: ChatMessage): ChatMessage {
  return message.role === 'system' ? { ...message, role: 'user' } : message;
}
