import { expect, it } from 'vitest';
import { BandwidthEstimate } from './bandwidth-estimate.ts';

/** Video frames of ten packets over a line with this time per packet. */
function measure(msPerPacket: number, pictures: number, line = new BandwidthEstimate()): BandwidthEstimate {
  for (let picture = 0; picture < pictures; picture++) {
    const numbers = Array.from({ length: 10 }, () => line.onSent(1250, picture * 40));
    const arrivalsMs = numbers.map((_, index) => picture * 40 + index * msPerPacket);
    line.onFeedback({ type: 'transport-feedback', base: numbers[0] ?? 0, arrivalsMs }, picture * 40 + 20);
  }
  return line;
}

it('measures the arrival rate of a frame while it arrives', () => {
  expect(new BandwidthEstimate().kbps).toBe(0);
  expect(measure(2, 1).kbps).toBe(5000);
  expect(measure(0.5, 20).kbps).toBe(20_000);
  expect(measure(0, 20).kbps).toBeGreaterThan(100_000);
});

it('follows the bandwidth, faster when it shrinks, over any number of packets', () => {
  const line = measure(1, 10_000);
  expect(line.kbps).toBe(10_000);
  expect(measure(4, 20, line).kbps).toBeLessThan(3000);
  expect(measure(1, 20, line).kbps).toBeGreaterThan(8000);
});

it('ignores a few packets, and those that were lost', () => {
  const line = new BandwidthEstimate();
  const numbers = Array.from({ length: 10 }, () => line.onSent(1250, 0));
  const arrivalsMs = numbers.map((_, index) => (index < 4 ? index : undefined));
  line.onFeedback({ type: 'transport-feedback', base: 0, arrivalsMs }, 20);
  expect(line.kbps).toBe(0);
});
