/**
 * The program that browsers start. A browser that was started from the desktop has not the PATH of a terminal,
 * on which nvm and its like depend, so Node is named by its whole path. `exec` makes the host the browser's own
 * child, by which it knows its browser.
 *
 * @param node path of the Node that runs this
 * @param hostFile path of the bundled host, main.js
 */
export function wrapperScript(node: string, hostFile: string): string {
  return [
    '#!/bin/sh',
    '# Starts the Towline native-messaging host. Made by "towline install", removed by "towline uninstall".',
    `exec ${quoted(node)} ${quoted(hostFile)} "$@"`,
    '',
  ].join('\n');
}

/** One word of the shell, whatever is in it. Source: POSIX.1-2017, Shell Command Language, 2.2.2. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
