export { BackOff, type BackOffOptions } from './back-off.ts';
export { Child, type ChildEnd, type ChildOptions } from './child.ts';
export { LineRing } from './line-ring.ts';
export type { Command } from './tether.ts';
