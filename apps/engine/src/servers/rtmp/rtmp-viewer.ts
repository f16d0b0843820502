import type { Socket } from 'node:net';
import type { AdmittedViewer } from '../../hub/clients/admission.ts';
import type { FanOut } from '../../hub/fan-out/fan-out.ts';
import type { Viewer } from '../../hub/fan-out/viewer.ts';

/** A peer that was allowed to play: it gets what the fan-out of its stream writes. */
export class RtmpViewer {
  readonly #admitted: AdmittedViewer;
  #seat: { readonly fanOut: FanOut; readonly viewer: Viewer } | undefined;

  constructor(admitted: AdmittedViewer) {
    this.#admitted = admitted;
  }

  join(fanOut: FanOut, socket: Socket): void {
    this.#seat = { fanOut, viewer: fanOut.add(this.#admitted.entry, socket) };
  }

  leave(): void {
    this.#seat?.fanOut.remove(this.#seat.viewer);
    this.#admitted.leave();
  }
}
