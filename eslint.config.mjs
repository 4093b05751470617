import { readFileSync } from 'node:fs';
import { defineConfig, globalIgnores } from 'eslint/config';
import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** Nest's decorators stand where its documentation teaches to look for them. */
const CONTROLLERS_ELSEWHERE = {
  selector: 'Decorator > CallExpression[callee.name="Controller"]',
  message: 'Controllers belong to files that end in .controller.ts.',
};
const MODULES_ELSEWHERE = {
  selector: 'Decorator > CallExpression[callee.name="Module"]',
  message: 'Modules belong to files that end in .module.ts.',
};
const COMPUTED_PATHS = {
  selector: 'Decorator > CallExpression[callee.name="Controller"] > :not(Literal).arguments',
  message: 'Write the path out, so that a search for it finds the controller.',
};

const WITHOUT_SEED = {
  name: 'fast-check',
  message: 'Import test/support/property-testing: it sets the seed.',
};

/** A pattern of the names of all kinds of devices: `host`, `Host`, `network-device`, `network device`, `NetworkDevice` … */
const DEVICE_KIND = (() => {
  const generated = readFileSync(new URL('packages/api-types/src/resources.ts', import.meta.url), 'utf8');
  const [devices] = generated.split('export const inventoryKinds');
  const patterns = [...devices.matchAll(/\bkind: '([a-z-]+)'/g)].map(([, kind]) =>
    kind.replace(
      /(^|-)([a-z])/g,
      (_, hyphen, letter) => `${hyphen && '[- ]?'}[${letter.toUpperCase()}${letter}]`,
    ),
  );
  return `(${patterns.join('|')})`;
})();
const NAMES_DEVICE_KIND = `/(?<![a-z])${DEVICE_KIND}s?(?![a-z])/`;

export default defineConfig(
  globalIgnores([
    '**/dist/',
    'dist-bench/',
    'node_modules/',
    'coverage/',
    '.muster/',
    '.muster-bench/',
    'bench/results/',
    // Type-checked by its test, with the client that it imports.
    'test/system/clients/typescript/',
    // Written by a program.
    'client/src/api/resources.ts',
    'packages/api-types/src/schema.ts',
    'packages/api-types/src/resources.ts',
    'packages/api-types/src/create-members.ts',
  ]),
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './web/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // A decorated class may have no more than its decorators: Nest's modules are.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Views and DTOs are classes for their decorators; what matters of them is their shape.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // There are no enums of our own, and this rule compares the types of every assignment.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      eqeqeq: 'error',
      'max-lines': ['error', { max: 330, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // SQL, read from top to bottom.
    files: ['src/migrations/*.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: {
      // The router's redirects are thrown, and are not errors.
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
      ],
      // Only the React Compiler, which is not used, would skip components.
      'react-hooks/incompatible-library': 'off',
      'no-restricted-syntax': [
        'error',
        ...[
          `Literal[value=${NAMES_DEVICE_KIND}]`,
          `TemplateElement[value.raw=${NAMES_DEVICE_KIND}]`,
          `JSXText[value=${NAMES_DEVICE_KIND}]`,
          // Collections as members. The singular may be something else, as in `location.host`.
          `MemberExpression > Identifier.property[name=/^${DEVICE_KIND}s$/]`,
        ].map((selector) => ({
          selector,
          message: 'A page works for every kind of device: see web/src/api/kinds.ts.',
        })),
      ],
    },
  },
  {
    files: [
      ...['src/**/*.ts', 'packages/**/*.ts', 'client/src/**/*.ts', 'web/src/**/*.{ts,tsx}'],
      ...['test/**/*.ts', 'bench/**/*.ts'],
    ],
    rules: {
      // Mechanisms have the names that the field uses: timeout, report, disconnected, default, revert.
      'id-denylist': [
        'error',
        ...['patience', 'told', 'tell', 'gone', 'somebody', 'whoever', 'usual', 'kept', 'pulse'],
        ...['hire', 'feel', 'beats', 'mend', 'reproach', 'shape'],
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', CONTROLLERS_ELSEWHERE, MODULES_ELSEWHERE] },
  },
  {
    files: ['src/**/*.controller.ts'],
    rules: { 'no-restricted-syntax': ['error', COMPUTED_PATHS, MODULES_ELSEWHERE] },
  },
  {
    files: ['src/**/*.module.ts'],
    rules: { 'no-restricted-syntax': ['error', CONTROLLERS_ELSEWHERE] },
  },
  {
    files: ['test/**/*.ts', 'packages/*/test/**/*.ts'],
    rules: {
      // supertest answers `any` bodies, and Jest's matchers take what they are given.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/support/property-testing.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [WITHOUT_SEED] }] },
  },
  {
    files: ['test/api/**/*.ts', 'test/client/**/*.ts', 'test/web/**/*.ts'],
    rules: {
      // These tests know the running service only: its internals may change without a change here.
      'no-restricted-imports': [
        'error',
        {
          paths: [WITHOUT_SEED],
          patterns: [{ regex: '^(\\.\\./)+src(/|$)', message: 'Test the running service over HTTP.' }],
        },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        TextDecoder: 'readonly',
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
      },
    },
  },
);
