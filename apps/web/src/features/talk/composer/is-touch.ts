/** A finger and no keyboard: words about keys would be for somebody else. */
export function isTouch(): boolean {
  return window.matchMedia('(hover: none) and (pointer: coarse)').matches;
}
