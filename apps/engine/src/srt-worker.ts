import { SrtWorker } from './servers/srt/worker/srt-worker.ts';
import { runWorker } from './workers/worker/run-worker.ts';

runWorker('srt', SrtWorker);
