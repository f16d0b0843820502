import * as z from 'zod';
import { AiError } from '../ai.ts';

/** Limit of an answer; longer ones are rejected. */
const longestText = 200_000;
const mostSegments = 10_000;
const Text = z.string().max(longestText);

/** Token usage, where the provider reports it. */
const Usage = z
  .object({ prompt_tokens: z.int().nonnegative().catch(0), completion_tokens: z.int().nonnegative().catch(0) })
  .nullish()
  .catch(null);
export type Usage = z.output<typeof Usage>;

const Seconds = z.number().nonnegative().max(1e6);

export const TranscriptionAnswer = z.object({
  text: Text,
  language: z.string().max(64).nullish().catch(''),
  duration: z.coerce.number().nonnegative().max(1e6).nullish().catch(null),
  segments: z
    .array(z.object({ start: Seconds, end: Seconds, text: Text }))
    .max(mostSegments)
    .nullish(),
});

export const ChatAnswer = z.object({
  choices: z.array(z.object({ message: z.object({ content: Text.nullish() }) })).min(1),
  usage: Usage,
});

export const ChatPiece = z.object({
  choices: z
    .array(z.object({ delta: z.object({ content: Text.nullish() }).nullish() }))
    .nullish()
    .transform((choices) => choices ?? []),
  usage: Usage,
});

export const ModelsAnswer = z.object({
  data: z
    .array(
      z.object({
        id: z.string().max(200),
        /** Only sent by the built-in process. */
        kind: z.string().optional().catch(undefined),
        languages: z.array(z.string().max(32)).max(500).optional().catch(undefined),
        name: z.string().max(200).optional().catch(undefined),
      }),
    )
    .max(5000),
});

const VoiceName = z.string().min(1).max(200);
const Voice = z.union([
  VoiceName.transform((id) => ({ id, name: id })),
  z
    .object({ id: VoiceName, name: VoiceName.optional().catch(undefined) })
    .transform(({ id, name = id }) => ({ id, name })),
  z.object({ name: VoiceName }).transform(({ name }) => ({ id: name, name })),
]);
const Voices = z.array(Voice).max(5000);

/** Not part of OpenAI's API. Compatible servers list voices as names or objects, at the top level or under one of these keys. */
export const VoicesAnswer = z.union([
  z.object({ voices: Voices }).transform(({ voices }) => voices),
  z.object({ data: Voices }).transform(({ data }) => data),
  Voices,
]);

/** Parses an answer, or throws `bad-answer` without its content, which may be hostile. */
export function parseAnswer<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new AiError('bad-answer', 'the provider sent a response that cannot be read');
  }
}
