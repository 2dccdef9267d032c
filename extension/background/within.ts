/** What a promise gives, or null when it has not come in time; it then goes on by itself. @throws what it throws in time */
export async function within<T>(limitMs: number, promise: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<null>((resolve) => {
        timer = setTimeout(() => {
          resolve(null);
        }, limitMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
    // Whoever waits no longer does not hear of a late failure either.
    promise.catch(() => undefined);
  }
}
