// npm run attack: what attackers found once, tried again on a running product. Names (S33 …) choose some of them; --write
// puts the results into docs/security.md, where the rows of other attacks stay.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.ts';
import { Target } from './target.ts';

interface Result {
  readonly attack: Attack;
  readonly isHeld: boolean;
  readonly seen: string;
}

const report = join(import.meta.dirname, '../docs/security.md');
const longestMs = 120_000;

async function attempt(attack: Attack): Promise<Result> {
  const target = await Target.start(attack.env);
  try {
    const seen = await within(longestMs, attack.run(target));
    return { attack, isHeld: true, seen: `${seen}; ${await target.check(attack)}` };
  } catch (error) {
    // A plane that ended explains the failure better than what the attacker saw of it.
    const cause = await target.check(attack).catch((found: Error) => found);
    const message = error instanceof Error ? error.message : String(error);
    return { attack, isHeld: false, seen: cause instanceof Error ? `${message}; ${cause.message}` : message };
  } finally {
    await target.close();
  }
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not over within ${ms / 1000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function beginOfRow({ id, title }: Attack): string {
  return `| ${id} | ${title} | `;
}

function rowOf({ attack, isHeld, seen }: Result): string {
  return `${beginOfRow(attack)}${isHeld ? 'held' : '**broken**'} | ${seen} |`;
}

function write(results: readonly Result[]): void {
  const mark = { begin: '<!-- attack:begin -->', end: '<!-- attack:end -->' };
  const text = readFileSync(report, 'utf8');
  const [before = '', table = ''] = text.split(mark.begin);
  const [, after = ''] = text.split(mark.end);
  const known = table.split('\n');
  const rows = attacks.flatMap((attack) => {
    const result = results.find((one) => one.attack === attack);
    return result ? rowOf(result) : (known.find((row) => row.startsWith(beginOfRow(attack))) ?? []);
  });
  const lines = [mark.begin, '| ID | attack | result | seen |', '|---|---|---|---|', ...rows, mark.end];
  writeFileSync(report, `${before}${lines.join('\n')}${after}`);
}

const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const results: Result[] = [];
for (const attack of attacks.filter(({ id }) => chosen.length === 0 || chosen.includes(id))) {
  const result = await attempt(attack);
  results.push(result);
  console.log(`${result.isHeld ? 'held  ' : 'BROKEN'} ${attack.id} ${attack.title}: ${result.seen}`);
}
const broken = results.filter(({ isHeld }) => !isHeld).length;
console.log(`${results.length - broken} passed, ${broken} failed`);
if (process.argv.includes('--write')) write(results);
process.exit(broken === 0 ? 0 : 1);
