import type koffi from 'koffi';

/** libsrt runs on this stack; only what it touches takes memory. */
const asyncStackBytes = 512 * 1024;

/** Access to native functions. Configured once for all users, because nothing can be configured after the first library is loaded. */
export async function loadNativeCalls(): Promise<typeof koffi> {
  const { default: native } = await import('koffi');
  const config = native.config();
  if (config.async_stack_size !== asyncStackBytes) native.config({ ...config, async_stack_size: asyncStackBytes });
  return native;
}
