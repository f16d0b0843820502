import type { Attack } from '../../attack.ts';
import { SrtCallerSocket } from './srt-handshake.ts';

const callers = 20;
const window = 60_000_000;

export const srtWindow: Attack = {
  id: 'S33',
  title: `${callers} SRT callers that claim a flow window of 60 million packets`,
  growthMb: 10,
  async run({ live }) {
    const socket = await SrtCallerSocket.open(live.weir.srtPort);
    let accepted = 0;
    for (let n = 1; n <= callers; n++) if ((await socket.call(n, { window })) !== undefined) accepted += 1;
    socket.close();
    return `${accepted} of ${callers} accepted`;
  },
};
