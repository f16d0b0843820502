import { isMainThread, parentPort, type Transferable, Worker, workerData } from 'node:worker_threads';

/** Role of a worker thread of this process, and what it needs to load its model. */
interface Task<Data> {
  readonly role: string;
  readonly data: Data;
}

type Answer<T> = { readonly value: T } | { readonly error: string };

/** The memory of models is large; an idle thread releases it. */
const idleMs = 120_000;

/** Worker thread for a model whose calls block. It starts with the first question, handles one at a time and ends when idle. */
export class ModelThread<Data, Question, Result> {
  readonly #entry: string;
  readonly #task: Task<Data>;
  #worker: Worker | undefined;
  #waiting: PromiseWithResolvers<Answer<Result>> | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** `entry` is the entry file of the process, which the thread runs too. */
  constructor(entry: string, task: Task<Data>) {
    this.#entry = entry;
    this.#task = task;
  }

  async ask(question: Question, transferred: readonly Transferable[]): Promise<Result> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    this.#waiting = Promise.withResolvers<Answer<Result>>();
    worker.postMessage(question, transferred);
    try {
      const answer = await this.#waiting.promise;
      if ('error' in answer) throw new Error(answer.error);
      return answer.value;
    } finally {
      this.#waiting = undefined;
      this.#idle = setTimeout(() => void worker.terminate(), idleMs).unref();
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { workerData: this.#task });
    const lose = (reason: unknown) => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#waiting?.reject(reason instanceof Error ? reason : new Error(`the ${this.#task.role} thread has ended`));
    };
    return worker
      .on('message', (answer: Answer<Result>) => this.#waiting?.resolve(answer))
      .on('error', lose)
      .on('exit', lose);
  }
}

/** Serves the questions of a role in this thread; false in the main thread and in threads of other roles. */
export function serveThread<Data, Question, Result>(
  role: string,
  load: (data: Data) => Promise<(question: Question) => Promise<Result>>,
): boolean {
  const task = isMainThread ? undefined : (workerData as Task<Data> | undefined);
  if (task?.role !== role) return false;
  let model: ReturnType<typeof load> | undefined;
  parentPort?.on('message', async (question: Question) => {
    try {
      model ??= load(task.data);
      parentPort?.postMessage({ value: await (await model)(question) } satisfies Answer<Result>);
    } catch (error) {
      model = undefined;
      parentPort?.postMessage({ error: String(error) } satisfies Answer<Result>);
    }
  });
  return true;
}
