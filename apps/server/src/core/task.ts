/** Work with a lifetime: it returns soon after its signal aborts. */
export type Task = (signal: AbortSignal) => Promise<void>;
