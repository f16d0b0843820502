import { describe, expect, it } from 'vitest';
import { detectLanguages, detectModelFiles } from './model-files.ts';

const path = (name: string) => `/m/${name}`;

/** Folders as the sherpa-onnx project publishes them. */
const published: [string, string[], string, string[], object][] = [
  [
    'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17',
    ['LICENSE', 'model.int8.onnx', 'model.onnx', 'tokens.txt', 'test_wavs'],
    'speech-to-text',
    ['zh', 'en', 'ja', 'ko', 'yue'],
    { senseVoice: { model: '/m/model.int8.onnx', language: 'ja' }, tokens: '/m/tokens.txt' },
  ],
  [
    'sherpa-onnx-paraformer-zh-2024-03-09',
    ['model.int8.onnx', 'model.onnx', 'tokens.txt'],
    'speech-to-text',
    ['zh'],
    { paraformer: { model: '/m/model.int8.onnx' } },
  ],
  [
    'sherpa-onnx-whisper-tiny.en',
    [
      'tiny.en-decoder.onnx',
      'tiny.en-encoder.onnx',
      'tiny.en-decoder.int8.onnx',
      'tiny.en-encoder.int8.onnx',
      'tiny.en-tokens.txt',
    ],
    'speech-to-text',
    ['en'],
    {
      whisper: { encoder: '/m/tiny.en-encoder.int8.onnx', decoder: '/m/tiny.en-decoder.int8.onnx' },
      tokens: '/m/tiny.en-tokens.txt',
    },
  ],
  [
    'sherpa-onnx-zipformer-gigaspeech-2023-12-12',
    [
      'decoder-epoch-30-avg-1.int8.onnx',
      'decoder-epoch-30-avg-1.onnx',
      'encoder-epoch-30-avg-1.int8.onnx',
      'encoder-epoch-30-avg-1.onnx',
      'joiner-epoch-30-avg-1.int8.onnx',
      'joiner-epoch-30-avg-1.onnx',
      'tokens.txt',
    ],
    'speech-to-text',
    ['en'],
    {
      transducer: {
        encoder: '/m/encoder-epoch-30-avg-1.int8.onnx',
        decoder: '/m/decoder-epoch-30-avg-1.onnx',
        joiner: '/m/joiner-epoch-30-avg-1.int8.onnx',
      },
    },
  ],
  [
    'vits-piper-en_US-amy-low',
    ['en_US-amy-low.onnx', 'en_US-amy-low.onnx.json', 'espeak-ng-data', 'tokens.txt'],
    'voice',
    ['en'],
    { vits: { model: '/m/en_US-amy-low.onnx', dataDir: '/m/espeak-ng-data', lexicon: '' } },
  ],
  [
    'vits-zh-aishell3',
    ['vits-aishell3.onnx', 'lexicon.txt', 'tokens.txt', 'rule.far'],
    'voice',
    ['zh'],
    { vits: { model: '/m/vits-aishell3.onnx', lexicon: '/m/lexicon.txt' } },
  ],
  [
    'kokoro-multi-lang-v1_0',
    ['dict', 'espeak-ng-data', 'lexicon-us-en.txt', 'lexicon-zh.txt', 'model.onnx', 'tokens.txt', 'voices.bin'],
    'voice',
    ['en', 'zh'],
    {
      kokoro: {
        model: '/m/model.onnx',
        voices: '/m/voices.bin',
        lexicon: '/m/lexicon-us-en.txt,/m/lexicon-zh.txt',
        dictDir: '/m/dict',
      },
    },
  ],
];

describe('detectModelFiles', () => {
  it.each(published)('detects %s by its file names', (folder, names, kind, languages, settings) => {
    const set = detectModelFiles(folder, names);
    if (typeof set !== 'object') throw new Error(`unknown: ${set}`);
    expect(set).toMatchObject({ kind, languages });
    expect(set.config(path, 'ja')).toMatchObject(settings);
  });

  it('lists the languages of a multilingual Whisper', () => {
    const set = detectModelFiles('whisper', ['base-encoder.onnx', 'base-decoder.onnx', 'base-tokens.txt']);
    expect(set).toMatchObject({ languages: expect.arrayContaining(['en', 'zh', 'de', 'yue']) });
  });

  it('returns a reason for unusable files and undefined without a model', () => {
    expect(detectModelFiles('sherpa-onnx-streaming-zipformer-en', ['encoder.onnx', 'tokens.txt'])).toMatch('streaming');
    expect(detectModelFiles('sense-voice', ['model.onnx'])).toMatch('tokens.txt');
    expect(detectModelFiles('mine', ['model.onnx', 'tokens.txt'])).toMatch('is unknown');
    expect(detectModelFiles('photos', ['one.jpg'])).toBeUndefined();
    expect(detectModelFiles('empty', [])).toBeUndefined();
  });
});

it.each([
  ['vits-piper-pt_BR-faber-medium', ['pt']],
  ['sherpa-onnx-zipformer-korean-2024-06-24', ['ko']],
  ['sherpa-onnx-paraformer-trilingual-zh-cantonese-en', ['zh', 'yue', 'en']],
  ['sherpa-onnx-zipformer-multi', []],
])('detects in %s the languages %j', (name, languages) => {
  expect(detectLanguages(name)).toEqual(languages);
});
