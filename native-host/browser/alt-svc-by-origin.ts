/**
 * The last `Alt-Svc` header of every origin that sent one, by origin (`https://host` or `https://host:port`).
 * @param responses in the order they came, with their header fields
 */
export function altSvcByOrigin(
  responses: readonly { url: string; headers: readonly (readonly [name: string, value: string])[] }[],
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { url, headers } of responses) {
    if (!url.startsWith('https:')) continue;
    const value = headers.find(([name]) => name.toLowerCase() === 'alt-svc')?.[1];
    if (value !== undefined) found[new URL(url).origin] = value;
  }
  return found;
}
