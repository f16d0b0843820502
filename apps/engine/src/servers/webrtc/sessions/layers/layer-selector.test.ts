import { describe, expect, it } from 'vitest';
import { LayerSelector, type LayerState, Presence } from './layer-selector.ts';

const layer = (facts: Partial<LayerState> = {}): LayerState => ({
  pixels: 1000,
  kbps: 500,
  isReady: true,
  heardMs: 10_000,
  sinceMs: 0,
  ...facts,
});
const nowMs = 10_000;
const choose = (layers: readonly LayerState[], lead?: number) => new LayerSelector().choose(layers, lead, nowMs);

describe('LayerSelector', () => {
  it.each([
    ['the largest picture, whatever its place', [layer(), layer({ pixels: 4000 }), layer({ pixels: 2000 })], 1],
    ['the first of equal ones', [layer(), layer()], 0],
    ['the fastest where no size is known', [layer({ pixels: 0 }), layer({ pixels: 0, kbps: 900 })], 1],
  ])('starts with %s', (_what, layers, expected) => {
    expect(choose(layers)).toBe(expected);
  });

  it.each([
    ['another is a little larger', [layer(), layer({ pixels: 1050 })]],
    ['a larger one has come a moment ago', [layer(), layer({ pixels: 4000, sinceMs: 6000 })]],
    ['a larger one has gone', [layer(), layer({ pixels: 4000, heardMs: 8000 })]],
    ['a larger one cannot be decoded', [layer(), layer({ pixels: 4000, isReady: false })]],
    ['one of unknown size is faster for a while', [layer({ pixels: 0 }), layer({ pixels: 0, kbps: 900 })]],
    ['it pauses with all others', [layer({ heardMs: 5000 }), layer({ heardMs: 5000 })]],
    ['others are back a moment earlier', [layer({ heardMs: 5000 }), layer({ sinceMs: 9990 })]],
  ])('keeps its layer when %s', (_what, layers) => {
    expect(choose(layers, 0)).toBe(0);
  });

  it('changes to a larger layer that lasts, and to the largest active one when its layer pauses', () => {
    expect(choose([layer(), layer({ pixels: 4000, sinceMs: 5000 })], 0)).toBe(1);
    const paused = layer({ pixels: 9000, heardMs: 9000 });
    expect(choose([paused, layer(), layer({ pixels: 2000 }), layer({ pixels: 5000, heardMs: 0 })], 0)).toBe(2);
  });

  it('waits for all layers before it chooses, but for a second at most', () => {
    const choice = new LayerSelector();
    const layers = [layer(), layer({ isReady: false })];
    expect(choice.choose(layers, undefined, nowMs)).toBeUndefined();
    expect(choice.choose(layers, undefined, nowMs + 900)).toBeUndefined();
    expect(choice.choose([layer({ heardMs: 11_000 }), layer({ isReady: false })], undefined, nowMs + 1000)).toBe(0);
  });
});

it('counts a layer as new after a pause, but not between the frames of a slow one', () => {
  const presence = new Presence();
  presence.hear(1000);
  presence.hear(2400);
  expect([presence.sinceMs, presence.heardMs]).toEqual([1000, 2400]);
  presence.hear(3900);
  expect(presence.sinceMs).toBe(3900);
});
