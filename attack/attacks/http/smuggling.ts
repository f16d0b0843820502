import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SmugglingKind, smugglingKinds } from '../../../apps/engine/src/front-door/smuggling-kinds.fixture.ts';
import { type Attack, holds } from '../../attack.ts';
import type { Target } from '../../target.ts';

const atOnce = 8;
/** Time without a byte after which a connection has all its answers. */
const quietMs = 500;
/** Requests of others behind each attempt. More than one, so that every kept connection to the control server is used. */
const honest = 4;

interface Answered {
  readonly statuses: readonly number[];
  readonly text: string;
  readonly hasEnded: boolean;
}

async function attempt(port: number, { pieces }: SmugglingKind): Promise<Answered> {
  const socket = connect(port, '127.0.0.1');
  let [text, hasEnded, lastMs] = ['', false, performance.now()];
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    lastMs = performance.now();
  });
  socket
    .on('error', () => undefined)
    .once('close', () => {
      hasEnded = true;
    });
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await sleep(20);
  }
  while (!hasEnded && performance.now() - lastMs < quietMs) await sleep(20);
  socket.destroy();
  const statuses = [...text.matchAll(/HTTP\/1\.1 ([2-5]\d\d) [A-Z]/g)].map(([, status]) => Number(status));
  return { statuses, text, hasEnded };
}

/** Describes why an attempt succeeded; empty when it was refused, or was one request for both servers. */
function faultOf({ isPipelined = false }: SmugglingKind, { statuses, text, hasEnded }: Answered): string {
  const hidden = text.split('hidden(').length - 1;
  if (isPipelined) return statuses.length > 2 || hidden > 1 ? `${statuses.length} answers to two requests` : '';
  if (hidden > 0) return 'the hidden request is answered';
  if (statuses.length > 1) return `${statuses.length} answers to one request`;
  if (statuses[0] === 400 && !hasEnded) return 'the connection stays after a refusal';
  return '';
}

/** Checks that other clients get their own answers. */
async function disturbed(target: Target, name: string): Promise<string> {
  const answers = await Promise.all(
    Array.from({ length: honest }, async (_, index) => {
      const { status, text } = await target.sendRequest(`/api/v1/versions?callback=honest_${index}`);
      return status === 200 && text.includes(`honest_${index}(`);
    }),
  );
  return answers.every((isOwn) => isOwn) ? '' : `after "${name}" somebody else gets an answer that is not theirs`;
}

export const smuggling: Attack = {
  id: 'S47',
  title: `${smugglingKinds.length} kinds of HTTP/1 request smuggling`,
  growthMb: 60,
  async run(target) {
    const { httpPort } = target.live.weir;
    const faults: string[] = [];
    let [held, refused] = [0, 0];
    const left = [...smugglingKinds];
    const worker = async () => {
      for (let kind = left.pop(); kind; kind = left.pop()) {
        const answered = await attempt(httpPort, kind);
        const fault = faultOf(kind, answered) || (await disturbed(target, kind.name));
        if (fault === '') held += 1;
        else faults.push(`${kind.name}: ${fault}`);
        if (answered.statuses[0] !== undefined && answered.statuses[0] >= 400) refused += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    holds(faults.length === 0, faults.join('; '));
    return `${held} of ${smugglingKinds.length} kinds held, ${refused} of them refused`;
  },
};
