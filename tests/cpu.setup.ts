import { afterAll, expect } from 'vitest';
import { cpuSecondsOf, noteCpu } from './browser-cpu.fixture.ts';

// A wall clock says little about a file that shares two cores with four others. Setup files run before the file is imported.
const start = cpuSecondsOf('self');
const { testPath } = expect.getState();
afterAll(() => noteCpu(testPath, cpuSecondsOf('self') - start));
