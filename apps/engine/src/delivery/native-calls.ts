import type koffi from 'koffi';

/** libsrt runs on this stack; only what it touches takes memory. */
const asyncStackBytes = 512 * 1024;

/** The way to native functions, configured once for all who use it: after the first library is loaded it cannot be any more. */
export async function loadNativeCalls(): Promise<typeof koffi> {
  const { default: native } = await import('koffi');
  const config = native.config();
  if (config.async_stack_size !== asyncStackBytes) native.config({ ...config, async_stack_size: asyncStackBytes });
  return native;
}
