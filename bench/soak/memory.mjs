import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

const megabyte = 1024 * 1024;

/** Launcher, planes and workers with their memory, as they are now. */
export function readProcesses(planes, heaps) {
  const pidOf = (name) => planes.find((plane) => plane.name === name)?.pid ?? 0;
  const [engine, server] = [pidOf('engine'), pidOf('server')];
  const workers = childrenOf(engine).flatMap((pid) => {
    const [, name] = /(srt|rtc|delivery)-worker/.exec(read(`/proc/${pid}/cmdline`)) ?? [];
    return name ? [[name, pid]] : [];
  });
  const launcher = Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${server}/status`))?.[1] ?? 0);
  return [['launcher', launcher], ['engine', engine], ['server', server], ...workers].map(([name, pid]) => {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
    const heap = read(join(heaps, `${pid}.json`));
    const file = name === 'engine' && { file: memoryFileOf(pid) };
    return { name, resident: Number(kilobytes ?? 0) / 1024, ...file, ...(heap !== '' && partsOf(JSON.parse(heap))) };
  });
}

/** Parts of a process after all garbage was collected: objects, buffers outside of the heap, and what native code holds. */
function partsOf({ heapUsed, external, native }) {
  return { objects: heapUsed / megabyte, buffers: external / megabyte, native: native / megabyte };
}

/** Memory of the file from which media is sent. No process has it mapped. */
function memoryFileOf(pid) {
  const folder = `/proc/${pid}/fd`;
  for (const descriptor of readdirSync(folder)) {
    try {
      const path = join(folder, descriptor);
      if (readlinkSync(path).startsWith('/memfd:weir')) return (statSync(path).blocks * 512) / megabyte;
    } catch {
      // Closed meanwhile.
    }
  }
  return 0;
}

/** By how much each part has grown: the median of the last quarter above that of the second. */
export function growthOf(rows) {
  const quarter = Math.max(1, Math.floor(rows.length / 4));
  const names = rows.at(-1)?.map(({ name }) => name) ?? [];
  return names.flatMap((name) =>
    ['resident', 'objects', 'buffers', 'native', 'file'].flatMap((part) => {
      const values = (some) =>
        some.flatMap((row) => row.find((one) => one.name === name)?.[part] ?? []).sort((a, b) => a - b);
      const [before, after] = [values(rows.slice(quarter, quarter * 2)), values(rows.slice(-quarter))];
      return before.length === 0 || after.length === 0 ? [] : [{ name, part, mb: median(after) - median(before) }];
    }),
  );
}

function median(values) {
  return values[Math.floor(values.length / 2)] ?? 0;
}

function childrenOf(pid) {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Empty when there is no such file, as of a process that is gone. */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
