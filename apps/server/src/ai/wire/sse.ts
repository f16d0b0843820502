import { StringDecoder } from 'node:string_decoder';
import { AiError } from '../ai.ts';

const longestLine = 1024 * 1024;

/** The `data:` of server-sent events, one by one, however the bytes are cut. Other fields mean nothing here. */
export async function* dataLines(body: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new StringDecoder('utf8');
  let open = '';
  for await (const chunk of body) {
    const lines = (open + decoder.write(chunk)).split(/\r\n|\n|\r(?!$)/);
    open = lines.pop() ?? '';
    if (open.length > longestLine) throw new AiError('bad-answer', 'the provider sent a line that is too long');
    for (const line of lines) if (line.startsWith('data:')) yield line.slice('data:'.length).trim();
  }
  if (open.startsWith('data:')) yield open.slice('data:'.length).trim();
}
