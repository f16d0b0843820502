import { expect, it } from 'vitest';
import { runTool } from './run-tool.ts';

const node = (script: string) => ({ command: process.execPath, args: ['-e', script] });

it('returns the output, the error output and the exit code of a program', async () => {
  const end = await runTool(node('console.log("out"); console.error("word"); process.exitCode = 3'));
  expect(end).toMatchObject({ output: 'out\n', said: ['word'], code: 3, cut: undefined, isMissing: false });
});

it('reports a missing program', async () => {
  expect(await runTool({ command: '/no/such/tool', args: [] })).toMatchObject({ isMissing: true, output: '' });
});

it('kills a program that takes too long, prints nothing for too long, or prints too much', async () => {
  const forever = 'setInterval(() => {}, 1000)';
  expect(await runTool({ ...node(forever), withinMs: 300 })).toMatchObject({ cut: 'time', signal: 'SIGKILL' });
  expect(await runTool({ ...node(forever), quietMs: 300 })).toMatchObject({ cut: 'silence', signal: 'SIGKILL' });
  const flood = 'setInterval(() => console.log("x".repeat(4096)), 1)';
  expect(await runTool({ ...node(flood), mostBytes: 8192 })).toMatchObject({ cut: 'size', signal: 'SIGKILL' });
});

it('passes output on as it comes, whatever its length', async () => {
  let length = 0;
  const onOutput = (text: string) => {
    length += text.length;
  };
  const end = await runTool({ ...node('process.stdout.write("x".repeat(100000))'), mostBytes: 10, onOutput });
  expect([length, end.output, end.cut]).toEqual([100_000, '', undefined]);
});

it('ends the program on request', async () => {
  const abort = new AbortController();
  const running = runTool({
    ...node('console.log("up"); setInterval(() => {}, 1000)'),
    onOutput: () => abort.abort(),
    signal: abort.signal,
  });
  expect(await running).toMatchObject({ isWanted: true, cut: undefined });
  expect(await runTool({ ...node('setInterval(() => {}, 1000)'), signal: AbortSignal.abort() })).toMatchObject({
    isWanted: true,
  });
});
