import { afterAll, beforeAll, expect, it } from 'vitest';
import { localModels } from '../local-ai.fixture.ts';
import { AiProcess, builtAi } from './ai-process.fixture.ts';
import { boxedCapitals, drawFrame, frames } from './frames.fixture.ts';
import { editDistance } from './human-speech.fixture.ts';

let ai: AiProcess;
beforeAll(async () => {
  // Bundled into one file, from which its thread is started too.
  ai = await AiProcess.start(await localModels(), builtAi);
});
afterAll(() => ai.close());

const address = (image: Buffer, type = 'jpeg') => `data:image/${type};base64,${image.toString('base64')}`;
const messages = (url: string) => [
  { role: 'system', content: 'You read images.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is written here?' },
      { type: 'image_url', image_url: { url } },
    ],
  },
];
const readImage = (url: string, more: object = {}) =>
  ai.post('/v1/chat/completions', { model: 'pp-ocr', messages: messages(url), ...more });

it.each(frames)('reads at least 90 % of the characters of a frame: $name', async (frame) => {
  const { status, json } = await readImage(address(drawFrame(frame)));
  expect(status).toBe(200);
  const expected = frame.lines.join('\n');
  const wrong = editDistance([...expected], [...json.choices[0].message.content]);
  expect(wrong / expected.length).toBeLessThanOrEqual(0.1);
});

it('keeps the spaces between words in capitals and digits', async () => {
  const { json } = await readImage(address(drawFrame(boxedCapitals)));
  expect(json.choices[0].message.content).toBe(boxedCapitals.lines.join('\n'));
});

it('reads a PNG, answers as a stream, and returns nothing for an image without text', async () => {
  const [frame] = frames;
  if (!frame) throw new Error('no frames');
  const { type, body } = await readImage(address(drawFrame(frame, 'png'), 'png'), { stream: true });
  expect(type).toBe('text/event-stream');
  const events = body.toString().trim().split('\n\n');
  expect(events.pop()).toBe('data: [DONE]');
  const deltas = events.map((event) => JSON.parse(event.slice(6)).choices[0]);
  expect(deltas.map(({ delta }) => delta.content ?? '').join('')).toBe(frame.lines.join('\n'));
  expect(deltas.at(-1).finish_reason).toBe('stop');
  const plain = await readImage(address(drawFrame({ name: 'plain', lines: [' '], size: 10 })));
  expect(plain.json.choices[0].message.content).toBe('');
});

it('refuses what is no image, a remote image, and a chat, and reads the next image', async () => {
  const [frame] = frames;
  if (!frame) throw new Error('no frames');
  const image = drawFrame(frame);
  const refused: [object, string][] = [
    [{ model: 'pp-ocr', messages: messages(address(Buffer.from('GIF89a'))) }, 'invalid_request'],
    [{ model: 'pp-ocr', messages: messages(address(image.subarray(0, 300))) }, 'invalid_request'],
    [{ model: 'pp-ocr', messages: messages('http://169.254.169.254/latest') }, 'invalid_request'],
    [{ model: 'pp-ocr', messages: messages('file:///etc/passwd') }, 'invalid_request'],
    [{ model: 'pp-ocr', messages: [null, 1, { content: [null, { image_url: 5 }] }] }, 'model_not_found'],
    [{ model: 'pp-ocr', messages: [{ role: 'user', content: 'Hello' }] }, 'model_not_found'],
    [{ model: 'gpt-4o', messages: messages(address(image)) }, 'model_not_found'],
    [{ messages: 'x' }, 'invalid_request'],
    [[], 'invalid_request'],
  ];
  for (const [body, code] of refused)
    expect([body, await ai.post('/v1/chat/completions', body)]).toMatchObject([
      body,
      { status: 400, json: { error: { code } } },
    ]);
  // Right until its last bytes, which are missing.
  expect((await readImage(address(image.subarray(0, -2000)))).status).toBeLessThan(500);
  const text: string = (await readImage(address(image))).json.choices[0].message.content;
  // The width of a space is judged above.
  expect(text.replaceAll(' ', '')).toBe(frame.lines.join('\n').replaceAll(' ', ''));
});
