import { describe, expect, test } from 'vitest';
import { capsuleCommand } from '../../../../native-host/network/capsule.ts';

const program = ['/usr/bin/node', 'a file; with $(everything)'];

describe.each([
  ['lab', true],
  ['lab', false],
  ['rootless', false],
  ['root', true],
] as const)('a capsule of kind %s, as root: %s', (kind, asRoot) => {
  const command = capsuleCommand(kind, asRoot, program);

  test('dies with its owner, and runs the program as it is', () => {
    expect(command.slice(0, 4)).toEqual(['setpriv', '--pdeathsig', 'KILL', '--']);
    expect(command.slice(-2)).toEqual(program);
  });

  test('has the namespaces of its kind', () => {
    expect(command.includes('--net')).toBe(kind === 'lab');
    expect(command.includes('pasta')).toBe(kind === 'rootless');
    expect(command.includes('--user')).toBe(kind === 'lab' && !asRoot);
    for (const own of ['--mount', '--pid', '--kill-child=KILL']) expect(command).toContain(own);
  });
});

test('without namespaces it is the program alone', () => {
  expect(capsuleCommand('none', true, program)).toEqual(program);
});
