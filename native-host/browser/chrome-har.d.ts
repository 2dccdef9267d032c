/** chrome-har ships no types: the one function used here. */
declare module 'chrome-har' {
  import type { Har } from 'har-format';

  export function harFromMessages(messages: { method: string; params: unknown }[]): Har;
}
