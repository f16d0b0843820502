/**
 * Milliseconds that confirmations may take beyond the lowest time and the player's latency: a keyframe takes its time on a line
 * that is wide enough for the stream.
 */
const slackMs = 500;
/** Losses that show a narrow line with a short queue: this share of the packets, while others wait. */
const waitingMs = 100;
const crowdedLoss = 0.2;
const leastLost = 16;
const lossCheckMs = { every: 200, over: 1000 };
/** Distance from the lowest age within which the line counts as empty. */
const emptyMs = 150;
/** Time with audio only, which fits any line, after which a remaining delay counts as the line's own. */
const settleMs = 2000;
/** Age above which the line does not even carry audio. */
const mostAudioMs = 1000;
/** Interval of packets on a full line: a player notices a loss only by a later packet. */
const probeEveryMs = 200;
/** Rate at which a lasting delay becomes the new baseline. */
const creepMsPerSecond = 5;

/** Slack while the window is bounded: packets then wait here and not on the line, so being late loses none. */
const heldSlackMs = 300;
/** Smallest bounded window, in packets. */
const leastWindow = 8;
/** Time without lateness after which the bound is lifted. */
const unboundedAfterMs = 3000;

interface Offered {
  readonly atMs: number;
  readonly messages: number;
  /** When all of it was seen to be on its way, while the send window grew. */
  sentMs?: number;
}

/**
 * Detects a line that is too narrow by the age of the oldest unconfirmed message. A player with a latency gives up missing packets
 * after that time, so loss alone never raises the age by much; a queue on the line does. The caller passes all times.
 */
export class SlowPlayerDetector {
  /** Age of the oldest message that is not confirmed. */
  ageMs = 0;
  /**
   * Messages that may be on the line at once; undefined while there is no need for a bound. Without one a keyframe overflows the
   * queue of a narrow line, and what is lost of it is repaired too late.
   */
  window: number | undefined;
  readonly #latencyMs: number;
  /** Offered and not known to be confirmed, oldest first. */
  readonly #open: Offered[] = [];
  #openMessages = 0;
  #lowestMs = Number.POSITIVE_INFINITY;
  #updatedMs = 0;
  /** Messages that were there before the first look: a player that joins gets many at once. */
  #first: Offered | undefined;
  #isJoining = true;
  /**
   * True until nothing waits here for the first time. On a long way the send window of a new player needs several round trips to grow to what
   * the line holds: what waits for that is not late.
   */
  #isGrowing = true;
  #offeredMs = 0;
  #resumedMs = 0;
  #lateSinceMs: number | undefined;
  #lowestWhileLateMs = Number.POSITIVE_INFINITY;

  readonly #lost: () => number;
  /** Start of the loss count, while packets wait on the line. */
  #begin: { readonly atMs: number; readonly lost: number; readonly offered: number } | undefined;
  #offered = 0;
  #lossCheckedMs = 0;
  #isLossy = false;

  /**
   * `lost`: packets that the player reported as lost. `latencyMs`: how long the player waits for missing packets; 0 = without limit, so
   * that none is too late.
   */
  constructor(latencyMs: number, lost: () => number) {
    this.#latencyMs = latencyMs;
    this.#lost = lost;
  }

  noteOffered(messages: number, nowMs: number): void {
    const offered: Offered = { atMs: nowMs, messages };
    this.#offeredMs = nowMs;
    this.#open.push(offered);
    this.#openMessages += messages;
    this.#offered += messages;
    if (this.#isJoining && (this.#first === undefined || nowMs === this.#first.atMs)) this.#first = offered;
  }

  /** `left`: messages offered and not yet confirmed. `waiting`: as many of them are not yet sent. */
  update(left: number, nowMs: number, waiting = 0): void {
    for (let oldest = this.#open[0]; oldest && this.#openMessages - oldest.messages >= left; oldest = this.#open[0]) {
      this.#openMessages -= oldest.messages;
      this.#open.shift();
      if (oldest === this.#first) this.#isJoining = false;
    }
    if (this.#isGrowing) this.#noteSent(waiting, nowMs);
    if (!this.#isJoining && waiting === 0) this.#isGrowing = false;
    const oldest = this.#open[0];
    this.ageMs = oldest ? nowMs - oldest.atMs : 0;
    if (!this.#isJoining) {
      const creepMs = ((nowMs - this.#updatedMs) / 1000) * creepMsPerSecond;
      this.#lowestMs = Math.min(this.ageMs, this.#lowestMs + creepMs);
    }
    this.#checkLoss(nowMs);
    if (this.#lateSinceMs === undefined && nowMs - this.#resumedMs > unboundedAfterMs) this.window = undefined;
    if (nowMs - (this.#lateSinceMs ?? nowMs) > settleMs / 2)
      this.#lowestWhileLateMs = Math.min(this.#lowestWhileLateMs, this.ageMs);
    this.#updatedMs = nowMs;
  }

  /** True when a packet sent now would arrive too late. */
  get isLate(): boolean {
    if (this.#latencyMs === 0 || this.#isJoining) return false;
    const most = this.#lowestMs + this.#latencyMs + (this.window === undefined ? slackMs : heldSlackMs);
    return this.#onLineMs > most || this.#isLossy;
  }

  /** True when the audio of a late batch should be sent. */
  shouldSendAudio(nowMs: number): boolean {
    return (
      this.#latencyMs > 0 && (this.ageMs < mostAudioMs + this.#latencyMs || nowMs - this.#offeredMs > probeEveryMs)
    );
  }

  /**
   * Starts a period in which only audio is sent. `onLine`: messages that the line holds. What is on its way without any queue may stay: a
   * smaller window would be too small for the stream on a long way, and make it late in turn.
   */
  noteLate(onLine: number, nowMs: number): void {
    this.#lateSinceMs = nowMs;
    this.#lowestWhileLateMs = Number.POSITIVE_INFINITY;
    // A keyframe is many messages at once: the mean counts.
    const share = this.#isJoining ? 0 : this.#lowestMs / Math.max(this.ageMs, this.#lowestMs, 1);
    const onItsWay = Math.min(onLine, Math.round(this.#openMessages * share));
    // Losses in spite of a bound: it is still more than the line holds.
    const before = this.window !== undefined && this.#isLossy ? this.window >> 1 : this.window;
    this.window = Math.max(leastWindow, onItsWay, before ?? onItsWay + ((onLine - onItsWay) >> 1));
  }

  /** Age of the oldest message, without the time that it waited for the send window to grow. */
  get #onLineMs(): number {
    const sentMs = this.#open[0]?.sentMs;
    if (sentMs === undefined) return this.#isGrowing ? 0 : this.ageMs;
    return this.#updatedMs - sentMs;
  }

  #noteSent(waiting: number, nowMs: number): void {
    let sent = this.#openMessages - waiting;
    for (const offered of this.#open) {
      sent -= offered.messages;
      if (sent < 0) return;
      offered.sentMs ??= nowMs;
    }
  }

  /** Resumes video and returns true when the line is empty enough. */
  resume(nowMs: number): boolean {
    const isSettled = nowMs - (this.#lateSinceMs ?? nowMs) > settleMs;
    const lowestMs = isSettled ? Math.max(this.#lowestMs, this.#lowestWhileLateMs) : this.#lowestMs;
    if (this.#latencyMs > 0 && this.ageMs > lowestMs + emptyMs) return false;
    this.#lowestMs = lowestMs;
    this.#lateSinceMs = undefined;
    this.#isLossy = false;
    this.#begin = undefined;
    this.#resumedMs = nowMs;
    return true;
  }

  #checkLoss(nowMs: number): void {
    if (this.#isJoining || this.#latencyMs === 0 || this.ageMs <= this.#lowestMs + waitingMs) {
      this.#begin = undefined;
      return;
    }
    if (this.#begin && nowMs - this.#lossCheckedMs < lossCheckMs.every) return;
    this.#lossCheckedMs = nowMs;
    const now = { atMs: nowMs, lost: this.#lost(), offered: this.#offered };
    this.#begin ??= now;
    const lost = now.lost - this.#begin.lost;
    const share = lost / Math.max(1, now.offered - this.#begin.offered);
    if (lost >= leastLost && share > crowdedLoss) this.#isLossy = true;
    if (nowMs - this.#begin.atMs > lossCheckMs.over) this.#begin = now;
  }
}
