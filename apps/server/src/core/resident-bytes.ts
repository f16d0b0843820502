import { readFile } from 'node:fs/promises';

/** proc(5): `VmRSS`, in KB. Other systems than Linux have no such file. */
export async function residentBytes(pid: number): Promise<number | null> {
  if (pid === 0) return null;
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
