import type { ClientCounters } from '../../../../hub/clients/client-info.ts';
import type { PacketRing } from '../../../../packagers/rtp/packet-ring.ts';
import type { RtpPackager, RtpReceiver } from '../../../../packagers/rtp/rtp-packager.ts';
import type { CongestionControl } from '../congestion/congestion-control.ts';
import type { LineFigures } from '../congestion/delay-trend.ts';
import type { KeyframeSender } from '../congestion/keyframe-sender.ts';
import type { PacketSender } from '../packet-sender.ts';
import type { SentTrack } from '../sent-track.ts';
import type { VideoPosition } from '../video-position.ts';
import { firstRung, QualityChoice } from './quality-choice.ts';
import type { ViewerQualities } from './viewer-qualities.ts';

/** Pause between two steps down. The keyframe of the second, right after the cached group of the first, would freeze the video. */
const settleMs = 500;
/** Least rate of repeated packets during a probe. */
const leastProbeKbps = 100;

interface Options {
  readonly qualities: ViewerQualities;
  readonly track: SentTrack;
  readonly position: VideoPosition;
  readonly sender: PacketSender;
  /** Undefined for viewers without transport feedback, which keep the quality they began with. */
  readonly keyframes: KeyframeSender | undefined;
  readonly congestion: CongestionControl;
  readonly counters: ClientCounters;
  /** Packets of the stream itself. */
  readonly lead: RtpPackager;
  readonly requestKeyframe: () => boolean;
  /** Called when the viewer goes on with the stream itself, from this place of its packets. */
  readonly onLead: (place: number) => void;
}

/** Video of one viewer in lower qualities, and its changes from one to another. */
export class QualitySwitch {
  readonly #options: Options;
  readonly #choice: QualityChoice | undefined;
  /** Quality that the viewer chose; empty for the stream itself, undefined if the line decides. */
  #pinned: string | undefined;
  #hasBegun = false;
  /** The quality that is sent; undefined for the stream itself. */
  #lower: QualityReader | undefined;
  /** Quality that is sent from its first keyframe after `notBeforeMs` on; the stream itself if `reader` is undefined. */
  #next: { readonly reader: QualityReader | undefined; readonly notBeforeMs: number } | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { keyframes, qualities } = options;
    this.#pinned = qualities.pinned;
    if (keyframes) this.#choice = new QualityChoice(performance.now());
  }

  /** The lower quality that is sent. */
  get lower(): QualityReader | undefined {
    return this.#lower;
  }

  /** Starts with a rate that most lines carry, or with the requested quality. */
  begin(): void {
    const { qualities } = this.#options;
    const { names } = qualities;
    this.#hasBegun = true;
    if (names.length < 2) return;
    const name = this.#pinned ?? (this.#choice ? names[firstRung(qualities.rungs(names))] : '');
    this.#lower = this.#readerOf(name ?? '');
  }

  /** Pins a quality from its next keyframe on, or lets the line decide again. */
  choose(name: string | undefined, nowMs: number): void {
    this.#pinned = name;
    if (!this.#hasBegun) return;
    this.#next?.reader?.close();
    this.#next = undefined;
    if (name === undefined) this.#choice?.onChanged(false, nowMs);
    else if (name !== (this.#lower?.name ?? '')) this.#plan(name, nowMs);
  }

  close(): void {
    this.#next?.reader?.close();
    this.#lower?.close();
  }

  /** Called at a keyframe of the stream itself. `waits`: it takes over once the earlier packets of the lower quality are sent. */
  atLeadKeyframe(ring: PacketRing, place: number, nowMs: number): 'takes over' | 'waits' | undefined {
    const next = this.#next;
    if (!next || next.reader || nowMs < next.notBeforeMs) return undefined;
    if (this.#isBehind(ring.at(place)?.timestamp ?? 0)) return 'waits';
    this.#changeTo(undefined, ring, place, nowMs);
    return 'takes over';
  }

  pump(reader: QualityReader, ring: PacketRing, mostPackets: number, nowMs: number): boolean {
    if (reader !== this.#lower) {
      this.#awaitKeyframe(reader, ring, nowMs);
      return false;
    }
    const { keyframes, congestion, counters, position, sender, track } = this.#options;
    if (keyframes && congestion.isThin) return this.#pumpThin(reader, ring, keyframes, nowMs);
    if (reader.place < ring.start) {
      counters.droppedFrames += 1;
      reader.place = Math.max(ring.entry ?? ring.end, ring.start);
      position.needsKeyframe = true;
    }
    const most = Math.min(mostPackets, sender.packetsPerTurn);
    let bytes = 0;
    for (let sent = 0; reader.place < ring.end && sent < most; reader.place++) {
      const packet = ring.at(reader.place);
      if (!packet?.isVideo || !position.accepts(packet)) continue;
      bytes += sender.send(packet, track, track.next(packet), position.timeOf(packet, track), nowMs);
      track.count(packet.payload.length - packet.padding);
      if (position.onSent(packet)) sender.noteBurst(packet.payload.length, nowMs);
      sent += 1;
    }
    counters.bytesOut += bytes + this.#probe(reader, ring, nowMs);
    return reader.place < ring.end || this.#probeKbps(nowMs) > 0;
  }

  /** Called when a quality ended or paused: the stream itself replaces it. */
  onOver(reader: QualityReader): void {
    const { lead, requestKeyframe } = this.#options;
    if (this.#next?.reader === reader) this.#next = undefined;
    if (this.#lower !== reader) return;
    const { ring } = lead;
    this.#changeTo(undefined, ring, ring.entry ?? ring.end, performance.now());
    if (ring.entry === undefined) requestKeyframe();
    lead.wake();
  }

  /** Adapts the quality to the line. Returns true if that is enough, so that congestion control must not act as well. */
  onFigures(figures: LineFigures, nowMs: number): boolean {
    const { qualities, sender, keyframes, lead } = this.#options;
    const choice = this.#choice;
    const { names } = qualities;
    if (!choice || this.#pinned !== undefined || names.length < 2) return false;
    const current = Math.max(0, names.indexOf(this.#lower?.name ?? ''));
    const rungs = qualities.rungs(names);
    const step = choice.onFigures(figures, sender.explainedMs(nowMs), { rungs, current }, nowMs);
    if (step) {
      this.#goDown(names[step.atOnce] ?? '', names[step.later] ?? '', nowMs);
      return true;
    }
    if (choice.mayGoUp && !this.#next) this.#plan(names[current - 1] ?? '', nowMs);
    if (!this.#next && choice.poll(rungs, current, nowMs)) {
      keyframes?.reset(nowMs);
      (this.#lower?.packager ?? lead).wake();
    }
    return current < names.length - 1 || choice.isSettling(nowMs);
  }

  #pumpThin(reader: QualityReader, ring: PacketRing, keyframes: KeyframeSender, nowMs: number): boolean {
    const { congestion, counters, position } = this.#options;
    for (reader.place = Math.max(reader.place, ring.start); reader.place < ring.end; reader.place++) {
      if (!ring.at(reader.place)?.isEntry) continue;
      if (congestion.hasRoom) {
        congestion.leave(nowMs);
        position.needsKeyframe = true;
        return true;
      }
      keyframes.onEntry(reader.place);
    }
    congestion.poll(reader.packager.videoKbps, nowMs);
    counters.bytesOut += keyframes.send(ring, congestion.paceKbps(nowMs), congestion.isTrying, nowMs);
    return congestion.isTrying || keyframes.isWaiting;
  }

  #probeKbps(nowMs: number): number {
    return this.#choice?.probeKbps(nowMs) ?? 0;
  }

  /** Repeats recent packets during a probe. Returns the bytes sent. */
  #probe({ packager }: QualityReader, ring: PacketRing, nowMs: number): number {
    const kbps = this.#probeKbps(nowMs);
    if (kbps === 0) return 0;
    return this.#options.keyframes?.send(ring, Math.max(leastProbeKbps, kbps - packager.videoKbps), true, nowMs) ?? 0;
  }

  /** True while packets of the lower quality from before this time are not sent. */
  #isBehind(timestamp: number): boolean {
    if (!this.#lower) return false;
    const { packager, place } = this.#lower;
    for (let at = Math.max(place, packager.ring.start); at < packager.ring.end; at++) {
      const packet = packager.ring.at(at);
      if (packet?.isVideo) return packet.timestamp < timestamp;
    }
    return false;
  }

  #awaitKeyframe(reader: QualityReader, ring: PacketRing, nowMs: number): void {
    const next = this.#next;
    if (next?.reader !== reader) return;
    for (reader.place = Math.max(reader.place, ring.start); reader.place < ring.end; reader.place++) {
      if (!ring.at(reader.place)?.isEntry || nowMs < next.notBeforeMs) continue;
      this.#changeTo(reader, ring, reader.place, nowMs);
      reader.packager.wake();
      return;
    }
  }

  /** Changes to a quality, from its keyframe at this place on. */
  #changeTo(reader: QualityReader | undefined, ring: PacketRing, place: number, nowMs: number): void {
    const { track, position, onLead } = this.#options;
    const former = this.#lower;
    track.breakOff();
    position.beginAt(ring, place);
    this.#lower = reader;
    if (reader) reader.place = place;
    else onLead(place);
    if (former !== reader) former?.close();
    if (this.#next?.reader === reader) this.#next = undefined;
    this.#choice?.onChanged(reader === undefined || isBetter(reader.name, former?.name), nowMs);
  }

  #goDown(atOnce: string, later: string, nowMs: number): void {
    const { counters, requestKeyframe } = this.#options;
    this.#next?.reader?.close();
    this.#next = undefined;
    counters.droppedFrames += 1;
    const reader = this.#readerOf(atOnce);
    if (!reader) return;
    const { ring } = reader.packager;
    if (ring.entry === undefined) {
      this.#next = { reader, notBeforeMs: nowMs };
      requestKeyframe();
      return;
    }
    this.#changeTo(reader, ring, ring.entry, nowMs);
    if (later !== atOnce) this.#plan(later, nowMs + settleMs);
    reader.packager.wake();
  }

  /** Changes at the next keyframe of this quality. */
  #plan(name: string, notBeforeMs: number): void {
    const reader = this.#readerOf(name);
    if (name !== '' && !reader) return;
    if (reader) reader.place = reader.packager.ring.end;
    this.#next = { reader, notBeforeMs };
    this.#options.requestKeyframe();
  }

  #readerOf(name: string): QualityReader | undefined {
    const packager = name === '' ? undefined : this.#options.qualities.packagerOf(name);
    return packager && new QualityReader(this, name, packager);
  }
}

/** Compares names such as `720p`. Nothing is better than the stream itself, which has no name. */
function isBetter(name: string, before: string | undefined): boolean {
  return before !== undefined && Number.parseInt(name, 10) > Number.parseInt(before, 10);
}

/** Sends the video of a lower quality. */
interface Owner {
  pump(reader: QualityReader, ring: PacketRing, mostPackets: number, nowMs: number): boolean;
  onOver(reader: QualityReader): void;
}

/** One viewer's place in the video of a lower quality. */
class QualityReader implements RtpReceiver {
  readonly name: string;
  readonly packager: RtpPackager;
  place = 0;
  readonly #owner: Owner;

  constructor(owner: Owner, name: string, packager: RtpPackager) {
    this.#owner = owner;
    this.name = name;
    this.packager = packager;
    packager.add(this);
  }

  pump(ring: PacketRing, mostPackets: number, nowMs: number): boolean {
    return this.#owner.pump(this, ring, mostPackets, nowMs);
  }

  onOver(): void {
    this.#owner.onOver(this);
  }

  close(): void {
    this.packager.remove(this);
  }
}
