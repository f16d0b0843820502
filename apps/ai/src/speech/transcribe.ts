import { isPlausible } from './plausible.ts';
import { type Segment, shareOut } from './share-out.ts';
import type { Recognizer } from './sherpa.ts';
import type { SpeechStack } from './speech-stack.ts';
import { Utterances } from './utterances.ts';
import { sampleRate } from './wav.ts';

/** What is longer is cut at pauses: recognition of a minute at once takes half a gigabyte and loses words. */
const longestWhole = 10 * sampleRate;
/** Heard before and after an utterance that was cut out. */
const margin = 0.1 * sampleRate;

/** Text and times of a recording, in seconds from its begin. */
export async function transcribe(
  stack: SpeechStack,
  recognizer: Recognizer,
  samples: Float32Array,
  signal: AbortSignal,
): Promise<Segment[]> {
  const segments: Segment[] = [];
  const pieces: readonly (readonly [number, number])[] =
    samples.length <= longestWhole ? [[0, samples.length]] : cutAtPauses(stack, samples);
  for (const [start, end] of pieces) {
    signal.throwIfAborted();
    const piece = samples.subarray(Math.max(0, start - margin), end + margin);
    segments.push(...shareOut(await recognize(recognizer, piece), start / sampleRate, end / sampleRate));
  }
  return segments;
}

async function recognize(recognizer: Recognizer, samples: Float32Array): Promise<string> {
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate });
  const { text, tokens } = await recognizer.decodeAsync(stream);
  const said = text.trim();
  return isPlausible(said, tokens.length, samples.length / sampleRate) ? said : '';
}

function cutAtPauses(stack: SpeechStack, samples: Float32Array): (readonly [number, number])[] {
  const vad = stack.takeVad();
  try {
    const utterances = new Utterances(vad);
    const events = [...utterances.push(samples), ...utterances.end()];
    return events.flatMap((event) => ('utterance' in event ? [event.utterance] : []));
  } finally {
    stack.giveVadBack(vad);
  }
}
