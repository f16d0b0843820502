import { connect, type Socket } from 'node:net';
import { type Demuxed, FlvBodyReader } from '@weir/media';
import { FlvDemuxer } from '@weir/media/flv-demuxer';
import { RtmpClientSession } from '@weir/media/rtmp-client';

/** A viewer that takes its stream apart and remembers the time of every picture and sound. */
export class FrameViewer {
  readonly times = { video: [] as number[], audio: [] as number[] };
  reason = '';
  hasEnded = false;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', (error) => {
      this.reason = error.message;
    });
    socket.once('close', () => {
      this.hasEnded = true;
    });
  }

  static overFlv(port: number, path: string): FrameViewer {
    const socket = connect(port, '127.0.0.1');
    const viewer = new FrameViewer(socket);
    const demuxer = new FlvDemuxer();
    let head: Buffer | undefined = Buffer.alloc(0);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    socket.on('data', (chunk: Buffer) => {
      if (head === undefined) {
        viewer.#take(demuxer.push(chunk));
        return;
      }
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!head.toString('latin1', 0, 15).startsWith('HTTP/1.1 200')) viewer.fail(head.toString('latin1', 0, end));
      viewer.#take(demuxer.push(head.subarray(end + 4)));
      head = undefined;
    });
    return viewer;
  }

  static overRtmp(port: number, app: string, name: string): FrameViewer {
    const socket = connect(port, '127.0.0.1');
    const viewer = new FrameViewer(socket);
    const session = new RtmpClientSession({ mode: 'play', app, name, tcUrl: `rtmp://127.0.0.1:${port}/${app}` });
    const bodies = new FlvBodyReader();
    const send = () => {
      const bytes = session.takeOutput();
      if (bytes) socket.write(bytes);
    };
    send();
    socket.on('data', (chunk: Buffer) => {
      for (const event of session.push(chunk)) {
        if (event.type === 'media') viewer.#take(bodies.read(event.kind, event.timestamp, event.payload));
        else if (event.type === 'refused') viewer.fail(event.reason);
      }
      send();
    });
    return viewer;
  }

  fail(reason: string): void {
    this.reason = reason;
    this.#socket.destroy();
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(items: readonly Demuxed[]): void {
    for (const item of items) if (item.type === 'frame') this.times[item.frame.kind].push(item.frame.dtsMs);
  }
}

/** Steps between times that are not within these bounds: gaps, repeats and steps back. */
export function badSteps(
  times: readonly number[],
  shortestMs: number,
  longestMs: number,
): [at: number, step: number][] {
  return times.slice(1).flatMap((time, index): [number, number][] => {
    const step = time - (times[index] ?? 0);
    return step < shortestMs || step > longestMs ? [[time, step]] : [];
  });
}
