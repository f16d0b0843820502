import { RtcWorker } from './servers/webrtc/rtc-worker.ts';
import { runWorker } from './workers/worker/run-worker.ts';

runWorker('rtc', RtcWorker);
