/**
 * Works on whatever `next` gives, a few at a time, until there is nothing left. The first that fails ends it: those that run are waited for, and
 * its failure is thrown.
 */
export async function pool<T>(
  parallel: number,
  next: () => T | undefined,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  const line = async () => {
    for (let item = next(); item !== undefined && !failure; item = next()) {
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, line));
  if (failure) throw failure.error;
}
