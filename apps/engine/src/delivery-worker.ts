import { DeliveryWorker } from './workers/delivery/delivery-worker.ts';
import { runWorker } from './workers/worker/run-worker.ts';

runWorker('delivery', DeliveryWorker);
