import { readFileSync } from 'node:fs';

/**
 * Resident memory from proc(5); null without a process, and on other systems than Linux. The kernel could enforce a limit of
 * address space, but ffmpeg's threads reserve far more than they use, so no such limit would fit.
 */
export function residentBytes(pid: number | undefined): number | null {
  if (!pid) return null;
  try {
    // In kilobytes; other files there count pages, whose size differs from machine to machine.
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
