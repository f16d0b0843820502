import { type RtpPacket, readHeaderText } from '@weir/media/rtp';

/** Header extensions that name the layer of a packet. */
export interface SimulcastNames {
  readonly rids: readonly string[];
  /** Header extension with the rid of a media packet. */
  readonly ridId: number;
  /** Header extension with the rid of what is sent again in a stream of its own. */
  readonly repairedRidId?: number | undefined;
}

/** A source that sent within this time keeps its layer. */
const heldMs = 1000;

interface Source {
  readonly layer: number;
  readonly isRepair: boolean;
  ssrc: number | undefined;
  heardMs: number;
}

/**
 * Finds the layer of a packet. Senders name it only in the first packets of a source, until a report confirms them; afterwards the SSRC
 * tells. Each layer has one media and one repair source.
 */
export class LayerSources {
  readonly #names: SimulcastNames;
  readonly #sources: readonly Source[];

  constructor(names: SimulcastNames) {
    this.#names = names;
    this.#sources = names.rids.flatMap((_, layer) =>
      [false, true].map((isRepair) => ({ layer, isRepair, ssrc: undefined, heardMs: 0 })),
    );
  }

  /** Undefined when nothing tells its layer: a guess would mix two of them. */
  find(bytes: Buffer, { ssrc }: RtpPacket, isRepair: boolean, nowMs: number): number | undefined {
    let source = this.#known(ssrc, isRepair);
    if (!source) {
      source = this.#named(bytes, isRepair);
      if (!source || (source.ssrc !== undefined && nowMs - source.heardMs < heldMs)) return undefined;
      source.ssrc = ssrc;
    }
    source.heardMs = nowMs;
    return source.layer;
  }

  #known(ssrc: number, isRepair: boolean): Source | undefined {
    for (const source of this.#sources) if (source.ssrc === ssrc && source.isRepair === isRepair) return source;
    return undefined;
  }

  #named(bytes: Buffer, isRepair: boolean): Source | undefined {
    const { rids, ridId, repairedRidId } = this.#names;
    const id = isRepair ? repairedRidId : ridId;
    const rid = id === undefined ? undefined : readHeaderText(bytes, id);
    const layer = rid === undefined ? -1 : rids.indexOf(rid);
    return this.#sources.find((source) => source.layer === layer && source.isRepair === isRepair);
  }
}
