/**
 * The script by which the browser chooses a proxy: one origin to the relay, and nowhere else if that is gone; all
 * others direct. The browser asks it with the origin and a slash alone, for https and wss.
 *
 * @param origin as `URL.origin` gives it
 */
export function pacScript(origin: string, relayPort: number): string {
  const wanted = JSON.stringify(`${origin}/`);
  return `function FindProxyForURL(url) {
  return url.indexOf(${wanted}) === 0 ? "PROXY 127.0.0.1:${relayPort}" : "DIRECT";
}`;
}
