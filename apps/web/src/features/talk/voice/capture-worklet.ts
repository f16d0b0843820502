/** Globals of an audio worklet, missing in the DOM types. */
declare function registerProcessor(name: string, processor: new () => object): void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** About 20 ms at 48 kHz: one message for eight calls. */
const batchSamples = 1024;

/** Posts samples of the microphone to the page and outputs silence. */
class Capture extends AudioWorkletProcessor {
  #batch = new Float32Array(batchSamples);
  #length = 0;

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    const samples = input?.[0];
    // A missing track has no channel.
    if (!samples) return true;
    for (const sample of samples) {
      this.#batch[this.#length++] = sample;
      if (this.#length < batchSamples) continue;
      this.port.postMessage(this.#batch, [this.#batch.buffer]);
      this.#batch = new Float32Array(batchSamples);
      this.#length = 0;
    }
    return true;
  }
}

registerProcessor('weir-capture', Capture);
