import { join } from 'node:path';
import { builtinDirectory } from './required-files.ts';

/** Paths of the installed files. */
export function localAiPaths(modelsDir: string) {
  const own = (...parts: string[]) => join(builtinDirectory(modelsDir), ...parts);
  return {
    sherpa: own('sherpa-onnx-node'),
    moonshine: {
      encoder: own('moonshine-tiny/encoder_model.onnx'),
      decoder: own('moonshine-tiny/decoder_model_merged.onnx'),
      tokens: own('moonshine-tiny/tokens.txt'),
    },
    voiceActivity: own('silero-vad/silero_vad_v6.onnx'),
    whisper: (size: 'base' | 'small') => ({
      runtime: own('onnxruntime-node'),
      encoder: own(`whisper-${size}/onnx/encoder_10s.onnx`),
      decoder: own(`whisper-${size}/onnx/decoder_model_merged_quantized.onnx`),
      vocabulary: own(`whisper-${size}/vocab.json`),
      generation: own(`whisper-${size}/generation_config.json`),
      config: own(`whisper-${size}/config.json`),
      simplify: own('opencc/dist/esm/t2cn.js'),
    }),
    onnxruntime: own('onnxruntime-web/ort.wasm.min.mjs'),
    ocr: {
      detection: own('pp-ocr/ch_PP-OCRv4_det_infer.onnx'),
      recognition: own('pp-ocr/ch_PP-OCRv4_rec_infer.onnx'),
      keys: own('pp-ocr/ppocr_keys_v1.txt'),
    },
  };
}
