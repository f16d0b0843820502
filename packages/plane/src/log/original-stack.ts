import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';

/** A map takes many times its file in memory; after a burst of errors it is let go. */
const keptMs = 60_000;
/** A place in one of the files that `scripts/build-planes.mjs` makes. */
const builtPlace = /(\/[^\s():]+\/dist\/[^\s():/]+\.cjs):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

/** The stack of an error with places in the source, also where a built file runs. Node's own way keeps every map in memory from the start. */
export function originalStack(stack: string): string {
  return stack.replace(builtPlace, (place, file: string, line: string, column: string) => {
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin)) return place;
    return `${join(dirname(file), origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    maps.set(file, readMap(file));
    setTimeout(() => maps.delete(file), keptMs).unref();
  }
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    // A stack with the places of the built file is better than none.
    return undefined;
  }
}
