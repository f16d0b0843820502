import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { localAiPaths } from '@weir/local-ai';
import { type Box, type RgbImage, type Scale, toPlanes } from './pixels.ts';
import { findTextBoxes } from './text-boxes.ts';
import { addWordSpaces, type PlacedCharacter } from './word-gaps.ts';

/**
 * Groups boxes into lines from top to bottom, each from left to right. Boxes share a line if they overlap by half the height of the smaller
 * one.
 */
export function toReadingOrder<T extends Box>(boxes: readonly T[]): T[][] {
  const lines: T[][] = [];
  for (const box of [...boxes].sort((a, b) => middle(a) - middle(b))) {
    const line = lines.findLast((each) => each.some((other) => isBeside(box, other)));
    if (line) line.push(box);
    else lines.push([box]);
  }
  return lines.map((line) => line.sort((a, b) => a.left - b.left));
}

const middle = ({ top, bottom }: Box) => (top + bottom) / 2;

function isBeside(one: Box, other: Box): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return shared > 0.5 * Math.min(one.bottom - one.top, other.bottom - other.top);
}

/** Subset of the onnxruntime-web API. */
interface Tensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}
interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}
interface OnnxRuntime {
  readonly env: { readonly wasm: { numThreads: number } };
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => Tensor;
  readonly InferenceSession: { create(model: Uint8Array): Promise<Session> };
}

type Places = Pick<ReturnType<typeof localAiPaths>, 'onnxruntime' | 'ocr'>;

/** Longer side of the image for detection. Normal letters are still found at half of a frame's size, and detection takes half of the time. */
const [leastSide, mostSide] = [640, 960];
const detectionScale: Scale = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };
const lineHeight = 48;
const lineScale: Scale = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };
const longestLine = 1600;
/** Total width of all lines of an image; about half a minute of work. */
const mostWidth = 16_000;
const leastConfidence = 0.6;

/** Reads text in images with PP-OCR: detection, then recognition of each box. */
export class TextReader {
  readonly #runtime: OnnxRuntime;
  readonly #detection: Session;
  readonly #recognition: Session;
  readonly #characters: readonly string[];

  private constructor(runtime: OnnxRuntime, detection: Session, recognition: Session, characters: readonly string[]) {
    this.#runtime = runtime;
    this.#detection = detection;
    this.#recognition = recognition;
    this.#characters = characters;
  }

  static async load({ onnxruntime, ocr }: Places): Promise<TextReader> {
    const runtime: OnnxRuntime = await import(pathToFileURL(onnxruntime).href);
    runtime.env.wasm.numThreads = 1;
    const [detection, recognition] = await Promise.all(
      [ocr.detection, ocr.recognition].map(async (path) => runtime.InferenceSession.create(await readFile(path))),
    );
    if (!detection || !recognition) throw new Error('the models could not be loaded');
    const keys = (await readFile(ocr.keys, 'utf8')).split(/\r?\n/);
    return new TextReader(runtime, detection, recognition, [...keys, ' ']);
  }

  /** One string per line, top to bottom. */
  async read(image: RgbImage): Promise<string[]> {
    const lines: string[] = [];
    let width = 0;
    for (const boxes of toReadingOrder(await this.#find(image))) {
      const texts: string[] = [];
      for (const box of boxes) {
        width += lineWidth(box);
        if (width <= mostWidth) texts.push(await this.#readBox(image, box));
      }
      const line = texts.filter((text) => text !== '').join(' ');
      if (line !== '') lines.push(line);
    }
    return lines;
  }

  async #find(image: RgbImage): Promise<Box[]> {
    const longer = Math.max(image.width, image.height);
    const scale = Math.min(1, Math.min(mostSide, Math.max(leastSide, longer / 2)) / longer);
    // The model halves its input five times.
    const [width, height] = [image.width, image.height].map((side) =>
      Math.max(32, Math.round((side * scale) / 32) * 32),
    ) as [number, number];
    const whole = { left: 0, top: 0, right: image.width, bottom: image.height };
    const { data } = await this.#run(
      this.#detection,
      toPlanes(image, whole, width, height, detectionScale),
      width,
      height,
    );
    const [across, down] = [image.width / width, image.height / height];
    return findTextBoxes({ width, height, values: data }).map(({ left, top, right, bottom }) => ({
      left: left * across,
      top: top * down,
      right: right * across,
      bottom: bottom * down,
    }));
  }

  async #readBox(image: RgbImage, box: Box): Promise<string> {
    const width = lineWidth(box);
    const planes = toPlanes(image, box, width, lineHeight, lineScale);
    const { data, dims } = await this.#run(this.#recognition, planes, width, lineHeight);
    const classes = dims.at(-1) ?? 1;
    const { characters, confidence } = decodeCtc(data, classes, this.#characters);
    if (confidence < leastConfidence) return '';
    const stepWidth = width / (data.length / classes);
    const placed = characters.map(({ character, x }) => ({ character, x: x * stepWidth }));
    return addWordSpaces(placed, { planes, width, height: lineHeight }).trim();
  }

  async #run(session: Session, planes: Float32Array, width: number, height: number): Promise<Tensor> {
    const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
    const answer = await session.run({ [input]: new this.#runtime.Tensor('float32', planes, [1, 3, height, width]) });
    const tensor = answer[output];
    if (!tensor) throw new Error('the model returned no result');
    return tensor;
  }
}

function lineWidth({ left, top, right, bottom }: Box): number {
  const width = ((right - left) / Math.max(1, bottom - top)) * lineHeight;
  return Math.min(longestLine, Math.max(lineHeight, Math.ceil(width / 8) * 8));
}

interface Decoded {
  /** Each with the middle of its steps. */
  readonly characters: readonly PlacedCharacter[];
  /** Mean of the characters; 0 without text. */
  readonly confidence: number;
}

/** Greedy CTC decoding: takes the best character per step, merges repeats and skips the blank class. */
export function decodeCtc(scores: Float32Array, classes: number, characters: readonly string[]): Decoded {
  const decoded: { character: string; from: number; to: number }[] = [];
  let [sum, last] = [0, 0];
  for (let step = 0; (step + 1) * classes <= scores.length; step++) {
    const at = step * classes;
    let best = 0;
    for (let index = 1; index < classes; index++)
      if ((scores[at + index] ?? 0) > (scores[at + best] ?? 0)) best = index;
    const current = decoded.at(-1);
    if (best !== 0 && best === last && current) current.to = step + 1;
    if (best !== 0 && best !== last) {
      decoded.push({ character: characters[best - 1] ?? '', from: step, to: step + 1 });
      sum += scores[at + best] ?? 0;
    }
    last = best;
  }
  return {
    characters: decoded.map(({ character, from, to }) => ({ character, x: (from + to) / 2 })),
    confidence: decoded.length === 0 ? 0 : sum / decoded.length,
  };
}
