import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LayerPlan, SimulatedPublisher } from './layers.fixture.ts';

/** Layers of Chromium: lowest first, each on its own clock, the top one about to wrap. */
const browser: readonly LayerPlan[] = [
  { rid: 'l', width: 320, base: 123_456_789 },
  { rid: 'm', width: 640, base: 987_654_321, delayMs: 20 },
  { rid: 'h', width: 1280, base: 2 ** 32 - 90_000, delayMs: 120 },
];
/** Layers of OBS: best first, on one clock, and no keyframes on request. */
const encoder: readonly LayerPlan[] = [
  { rid: '0', width: 1280, base: 5_000_000 },
  { rid: '1', width: 640, base: 5_000_000, delayMs: 20 },
  { rid: '2', width: 320, base: 5_000_000, delayMs: 40 },
];

const stepsOf = (publisher: SimulatedPublisher) =>
  publisher.shown.slice(1).map(({ ms }, n) => (((ms - (publisher.shown[n]?.ms ?? 0)) * 90) | 0) / 90);

describe('PublishedVideo with several layers', () => {
  it.each([
    ['a browser', browser],
    ['an encoder', encoder],
  ])('like %s shows the largest, from its first keyframe and without a gap', (_who, plans) => {
    const publisher = new SimulatedPublisher(plans);
    publisher.run(3000);
    expect(publisher.widths).toEqual([1280]);
    expect(publisher.shown[0]?.isKeyframe).toBe(true);
    expect(publisher.shown.length).toBeGreaterThan(65);
    for (const step of stepsOf(publisher)) expect(step).toBeCloseTo(40);
  });

  it.each([
    ['a browser', browser],
    ['an encoder', encoder],
  ])('like %s passes the smaller ones on with exactly the times of the largest', (_who, plans) => {
    const publisher = new SimulatedPublisher(plans);
    publisher.run(8000);
    const times = new Map(publisher.shown.map(({ ms, isKeyframe }) => [ms, isKeyframe]));
    const top = publisher.layers.findIndex(({ width }) => width === 1280);
    expect(publisher.leads).toEqual([top]);
    for (const [layer, { width }] of publisher.layers.entries()) {
      const pictures = publisher.lower.filter((each) => each.layer === layer);
      if (layer === top) {
        expect(pictures).toEqual([]);
        continue;
      }
      expect(pictures[0]?.isKeyframe).toBe(true);
      // Reports come after half a second, and the next keyframe of all layers is asked for then.
      expect(pictures.length).toBeGreaterThan(130);
      for (const picture of pictures) {
        expect(picture.width).toBe(width);
        expect(times.get(picture.ms)).toBe(picture.isKeyframe);
      }
      const steps = pictures.slice(1).map(({ ms }, n) => Math.round((((ms - (pictures[n]?.ms ?? 0)) * 90) | 0) / 90));
      expect(new Set(steps)).toEqual(new Set([40]));
    }
  });

  it('leaves the smaller layer that has become the lead out of the others, and takes it back afterwards', () => {
    const publisher = new SimulatedPublisher(browser);
    publisher.run(4000);
    const [, middle, top] = publisher.layers;
    if (!middle || !top) throw new Error('no such layer');
    top.isOn = false;
    publisher.run(4000);
    const since = publisher.lower.length;
    publisher.run(2000);
    expect(new Set(publisher.lower.slice(since).map(({ width }) => width))).toEqual(new Set([320]));
    top.isOn = true;
    top.needsKeyframe = true;
    publisher.run(9000);
    expect(publisher.leads).toEqual([2, 1, 2]);
    expect(new Set(publisher.lower.slice(-20).map(({ width }) => width))).toEqual(new Set([320, 640]));
    for (const layer of [0, 1]) {
      const times = publisher.lower.filter((each) => each.layer === layer).map(({ ms }) => ms);
      for (const [n, ms] of times.entries())
        if (n > 0) expect(((ms - (times[n - 1] ?? 0)) * 90) | 0).toBeGreaterThan(0);
    }
  });

  it('begins with the best layer of an encoder that cannot be asked for keyframes', () => {
    const publisher = new SimulatedPublisher(encoder);
    publisher.isAskable = false;
    publisher.run(1000);
    expect(publisher.widths).toEqual([1280]);
    expect(publisher.shown[0]?.nowMs).toBe(0);
  });

  it('waits a second for an absent layer, then shows the largest there is', () => {
    const publisher = new SimulatedPublisher(browser);
    const [, , top] = publisher.layers;
    if (top) top.isOn = false;
    publisher.run(900);
    expect(publisher.shown).toEqual([]);
    publisher.run(1000);
    expect(publisher.widths).toEqual([640]);
    // The top layer starts late: it is shown only after five seconds without a pause.
    if (top) top.isOn = true;
    publisher.run(4900);
    expect(publisher.widths).toEqual([640]);
    publisher.run(1500);
    expect(publisher.shown.at(-1)?.width).toBe(1280);
  });

  it.each([
    ['a browser', browser, true],
    ['an encoder', encoder, false],
  ])('like %s continues with the next layer while the largest pauses, on the same clock', (_who, plans, isAskable) => {
    const publisher = new SimulatedPublisher(plans);
    publisher.isAskable = isAskable;
    const every = (ms: number) => {
      // An encoder makes keyframes of its own.
      for (let sinceMs = 0; sinceMs < ms; sinceMs += 1000) {
        if (!isAskable) for (const layer of publisher.layers) layer.needsKeyframe = true;
        publisher.run(1000);
      }
    };
    every(3000);
    const top = publisher.layers.find(({ width }) => width === 1280);
    const middle = publisher.layers.find(({ width }) => width === 640);
    if (!top || !middle) throw new Error('no such layer');
    top.isOn = false;
    every(4000);
    expect(publisher.shown.at(-1)?.width).toBe(640);
    expect(publisher.asked.keyframes).toContain(middle.ssrc);
    top.isOn = true;
    top.needsKeyframe = true;
    every(3000);
    expect(publisher.shown.at(-1)?.width).toBe(640);
    every(5000);
    expect(publisher.shown.at(-1)?.width).toBe(1280);
    expect(
      publisher.shown.filter(({ isKeyframe }, n, all) => isKeyframe && all[n - 1]?.width !== all[n]?.width),
    ).toHaveLength(3);
    // Every step is a number of pictures, but for those that catch up after the change to a layer that comes later.
    const odd = stepsOf(publisher).filter((step) => Math.abs(step / 40 - Math.round(step / 40)) > 0.001);
    expect(odd.length).toBeLessThan(8);
    for (const step of stepsOf(publisher)) expect(step).toBeGreaterThan(0);
    const [first, last] = [publisher.shown[0], publisher.shown.at(-1)];
    const mediaMs = ((((last?.ms ?? 0) - (first?.ms ?? 0)) * 90) >>> 0) / 90;
    expect(mediaMs).toBeCloseTo((last?.nowMs ?? 0) - (first?.nowMs ?? 0), 3);
  });

  it('places frames by arrival without sender reports', () => {
    const publisher = new SimulatedPublisher(browser);
    publisher.hasReports = false;
    publisher.run(3000);
    const [, , top] = publisher.layers;
    if (top) top.isOn = false;
    publisher.run(2000);
    const [first, last] = [publisher.shown[0], publisher.shown.at(-1)];
    expect(last?.width).toBe(640);
    const mediaMs = ((((last?.ms ?? 0) - (first?.ms ?? 0)) * 90) >>> 0) / 90;
    expect(Math.abs(mediaMs - ((last?.nowMs ?? 0) - (first?.nowMs ?? 0)))).toBeLessThan(130);
    for (const step of stepsOf(publisher)) expect(step).toBeGreaterThan(0);
    // A report of what leads is told on the clock of what is shown.
    const [, middle] = publisher.layers;
    const told = middle && publisher.report(middle);
    expect(Math.abs((told ?? 0) / 90 - (last?.ms ?? 0))).toBeLessThan(130);
  });

  it('keeps its layer through a blackout', () => {
    const publisher = new SimulatedPublisher(browser);
    publisher.run(3000);
    publisher.blackOut(5000);
    publisher.run(2000);
    expect(publisher.widths).toEqual([1280]);
    expect(publisher.shown.at(-1)?.nowMs).toBeGreaterThan(9000);
  });

  it('accepts a changed size of a layer', () => {
    const publisher = new SimulatedPublisher(browser.slice(1));
    publisher.run(2000);
    const [middle, top] = publisher.layers;
    if (top) top.width = 640;
    if (middle) middle.width = 320;
    publisher.run(3000);
    expect(publisher.shown.at(-1)?.width).toBe(640);
    expect(publisher.widths).toEqual([1280, 640]);
  });

  it('repairs a layer by retransmissions that name it, also when they come before its media', () => {
    const publisher = new SimulatedPublisher(encoder);
    for (const layer of publisher.layers) publisher.receive(publisher.repair(layer));
    publisher.run(2000);
    const [top] = publisher.layers;
    if (!top) throw new Error('no such layer');
    const before = publisher.shown.length;
    const [lost, ...rest] = publisher.packets(top);
    for (const bytes of rest) publisher.receive(bytes);
    publisher.receive(publisher.packets(top)[0] ?? Buffer.alloc(0));
    expect(publisher.shown).toHaveLength(before);
    publisher.nowMs += 20;
    publisher.video.drain(publisher.nowMs);
    expect(publisher.asked.nacks).toBeGreaterThan(0);
    publisher.receive(publisher.repair(top, lost));
    expect(publisher.shown.length).toBeGreaterThan(before);
    expect(publisher.video.lost).toBe(1);
  });

  it('ignores sources that name no layer, and reports on each layer', () => {
    const publisher = new SimulatedPublisher(browser);
    for (const layer of publisher.layers) layer.namedPackets = 100;
    publisher.run(2000);
    expect(publisher.shown).toEqual([]);
    expect(publisher.video.reports(publisher.nowMs)).toEqual([]);
    for (const layer of publisher.layers) layer.namedPackets = 0;
    publisher.run(2000);
    expect(publisher.video.reports(publisher.nowMs).map(({ ssrc }) => ssrc)).toEqual([1000, 1001, 1002]);
  });

  it('never goes back in time, and changes layers at keyframes only, whatever the layers do', () => {
    const event = fc.record({
      layer: fc.nat(2),
      what: fc.constantFrom('switch', 'lose', 'replace', 'blackout', 'no-reports', 'nothing'),
      ms: fc.integer({ min: 4, max: 300 }).map((n) => n * 10),
    });
    const anything = fc.array(event, { minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(fc.constantFrom(browser, encoder), anything, (plans, events) => {
        const publisher = new SimulatedPublisher(plans);
        for (const { layer: index, what, ms } of events) {
          const layer = publisher.layers[index];
          if (!layer) continue;
          if (what === 'switch') Object.assign(layer, { isOn: !layer.isOn, needsKeyframe: true });
          if (what === 'lose') layer.sequence += 1 + (ms % 700);
          if (what === 'replace')
            Object.assign(layer, { ssrc: layer.ssrc + 10, namedPackets: 0, base: ms * 7919, needsKeyframe: true });
          if (what === 'blackout') publisher.blackOut(ms);
          publisher.hasReports = what !== 'no-reports';
          publisher.run(Math.ceil(ms / 40) * 40);
        }
        for (const [n, { width, isKeyframe }] of publisher.shown.entries())
          if (width !== publisher.shown[n - 1]?.width) expect(isKeyframe).toBe(true);
        for (const step of stepsOf(publisher)) expect(step).toBeGreaterThan(0);
      }),
      { numRuns: 25 },
    );
  });
});
