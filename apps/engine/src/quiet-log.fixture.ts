import { createLog } from '@weir/plane';

/** For tests that provoke what is not worth a line. */
export const quietLog = createLog('engine', 'error');
