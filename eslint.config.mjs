import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';

/**
 * The one-way flow of ARCHITECTURE.md, as import limits: each room may import itself and the rooms named
 * for it, nothing else of ours. Entry files (cli.ts, main.ts, ...) construct things and may import every room
 * of their side.
 */
const mayImport = {
  'shared/errors': [],
  'shared/record': ['shared/errors'],
  'shared/arms': ['shared/errors', 'shared/record'],
  'shared/stats': ['shared/errors', 'shared/record'],
  'shared/messages': ['shared/errors', 'shared/record'],
  'native-host/wire': ['shared/errors', 'shared/record'],
  'native-host/capture': ['shared/errors', 'shared/record'],
  'native-host/network': ['shared/errors', 'shared/record'],
  'native-host/arms': ['shared/errors', 'shared/record'],
  'native-host/browser': [
    'shared/errors',
    'shared/record',
    'shared/arms',
    'shared/messages',
    'native-host/arms',
  ],
  'native-host/install': [
    'shared/errors',
    'shared/record',
    'shared/messages',
    'native-host/browser',
    'native-host/capture',
    'native-host/network',
  ],
  'native-host/messaging': ['shared'],
  'native-host/relay': ['shared', 'native-host/messaging'],
  'native-host/runs': ['shared', 'native-host/messaging'],
  'native-host/watching': [
    'shared',
    'native-host/capture',
    'native-host/messaging',
    'native-host/network',
    'native-host/wire',
  ],
  'native-host/terminal': ['shared'],
  'native-host/comparison': [
    'shared',
    'native-host/arms',
    'native-host/browser',
    'native-host/capture',
    'native-host/network',
    'native-host/wire',
    'lab',
  ],
  lab: ['shared/errors', 'shared/record', 'native-host/network'],
  'extension/platform': ['shared'],
  'extension/charts': ['shared', 'extension/_locales'],
  'extension/recorder': ['shared', 'extension/platform', 'extension/charts'],
  'extension/background': ['shared', 'extension/platform', 'extension/recorder'],
  'extension/firefox-lab': ['shared'],
  'extension/popup': ['shared', 'extension/platform', 'extension/charts', 'extension/recorder'],
  'extension/options': ['shared', 'extension/platform', 'extension/charts', 'extension/recorder'],
  'extension/welcome': ['shared', 'extension/platform', 'extension/charts'],
};

const zones = Object.entries(mayImport).map(([room, allowed]) => ({
  target: `./${room}`,
  from: ['./shared', './native-host', './lab', './extension'],
  except: [room, ...allowed].map((path) => `./${path}`),
}));

/** import-x compares `except` inside one `from`; this asks the same of each root in turn. */
const zonesPerRoot = zones.flatMap(({ target, from, except }) =>
  from.map((root) => ({
    target,
    from: root,
    except: except
      .filter((path) => path === root || path.startsWith(`${root}/`))
      .map((path) => (path === root ? '.' : `.${path.slice(root.length)}`)),
    message: 'This import goes against the flow of data: see ARCHITECTURE.md.',
  })),
);

const world = [
  'node:fs',
  'node:fs/promises',
  'node:net',
  'node:dgram',
  'node:child_process',
  'node:http',
  'node:os',
];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ noWarnOnMultipleProjects: true })],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: zonesPerRoot }],
      'import-x/no-cycle': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Pure rooms: no clock, file, socket, process or browser.
    files: ['shared/**/*.ts', 'native-host/wire/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { paths: world }],
      'no-restricted-globals': [
        'error',
        'window',
        'document',
        'setTimeout',
        'setInterval',
        'fetch',
        'process',
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'Date',
          property: 'now',
          message: 'Pure rooms have no clock: take the time as an argument.',
        },
        { object: 'Math', property: 'random', message: 'Use a seeded generator of shared/stats.' },
      ],
    },
  },
  {
    // Parsers index typed arrays inside bounds they have just checked; `!` says so without a branch per byte.
    files: ['native-host/wire/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['extension/**/*.ts'],
    ignores: ['extension/platform/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'webextension-polyfill', message: 'Only extension/platform talks to the browser.' },
          ],
        },
      ],
    },
  },
  {
    files: ['native-host/cli.ts', 'script/**', 'tests/bench/**', 'tests/e2e/make-screenshots.ts'],
    rules: { 'no-console': 'off' },
  },
);
