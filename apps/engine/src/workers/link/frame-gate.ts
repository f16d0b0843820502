import type { MediaFrame } from '@weir/media';

/** Limit of queued bytes. Above it, frames are dropped: the other end has hung for seconds. */
const mostQueuedBytes = 24 * 1024 * 1024;
const resumeBytes = 2 * 1024 * 1024;

/** Passes frames of a stream while the other end reads them. After a gap, video continues with a keyframe. */
export class FrameGate {
  #isBehind = false;
  #needsKeyframe = false;

  passes({ kind, isKeyframe }: MediaFrame, queuedBytes: number): boolean {
    if (queuedBytes > mostQueuedBytes) this.#isBehind = true;
    else if (queuedBytes <= resumeBytes) this.#isBehind = false;
    const isVideo = kind === 'video';
    if (this.#isBehind || (isVideo && this.#needsKeyframe && !isKeyframe)) {
      this.#needsKeyframe ||= isVideo;
      return false;
    }
    if (isVideo) this.#needsKeyframe = false;
    return true;
  }
}
