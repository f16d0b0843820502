export function toPercent(part: number, whole: number): number {
  return whole > 0 ? Math.floor((100 * part) / whole) : 0;
}
