import { isTicket, writeTicket } from './ticket.ts';

/** Query parameter of a stream that carries a ticket of a program of ours. */
export const ownTicketParameter = 'weir-own';

const facts = ['own'];
const stepMs = 60_000;
const steps = 3;

/**
 * Marks the player of a stream as a program of the control plane, which is no viewer and needs no permission. Every user of the machine
 * can read arguments, so it is valid only during a start, for two to three minutes. It stays the same for a minute, so that logs can
 * redact it.
 */
export function ownTicket(key: string, nowMs: number): string {
  return writeTicket(key, facts, (Math.floor(nowMs / stepMs) + steps) * stepMs);
}

export function isOwnTicket(ticket: string, key: string, nowMs: number): boolean {
  return isTicket(ticket, key, facts, nowMs);
}

/** Query parameter of the ticket for a connection test. */
export const rtcTestParameter = 'ticket';

const rtcTestFacts = ['rtc-test'];
const rtcTestMs = 120_000;

/** Permits one browser of the administrator to test its way to the WebRTC ports, without a stream. */
export function rtcTestTicket(key: string, nowMs: number): string {
  return writeTicket(key, rtcTestFacts, nowMs + rtcTestMs);
}

export function isRtcTestTicket(ticket: string, key: string, nowMs: number): boolean {
  return isTicket(ticket, key, rtcTestFacts, nowMs);
}
