import { readFileSync } from 'node:fs';

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

const errors = (...names) => Object.fromEntries(names.map((name) => [name, 'error']));

/** Mechanisms have the names that the field uses: timeout, report, disconnected, default, revert. */
const RETIRED_NAMES = [
  ...['patience', 'told', 'tell', 'gone', 'somebody', 'whoever', 'usual', 'kept', 'pulse'],
  ...['hire', 'feel', 'beats', 'mend', 'reproach', 'shape'],
];

/** @type {import('oxlint').OxlintConfig} */
export default {
  ignorePatterns: [
    '**/dist/',
    'dist-bench/',
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
  ],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  plugins: ['typescript', 'react'],
  // ESLint's own rules, for the one that Oxlint does not have.
  jsPlugins: [{ name: 'eslint-js', specifier: 'oxlint-plugin-eslint' }],
  // With the rules below: what ESLint's `recommended` and typescript-eslint's `strictTypeChecked` enable.
  categories: { correctness: 'error' },
  rules: {
    ...errors(
      ...['no-case-declarations', 'no-empty', 'no-fallthrough', 'no-prototype-builtins', 'no-redeclare'],
      ...['no-regex-spaces', 'no-unexpected-multiline', 'no-useless-assignment', 'preserve-caught-error'],
    ),
    // The sorted arrays that it means contain texts, which have the order that it asks for.
    'typescript/require-array-sort-compare': 'off',
    'no-unused-vars': ['error', { argsIgnorePattern: '^$', varsIgnorePattern: '^$' }],
    // Only the React Compiler, which is not used, would skip components.
    'react/incompatible-library': 'off',
  },
  overrides: [
    {
      files: ['**/*.ts', '**/*.tsx', '**/*.mts'],
      rules: {
        ...errors(
          ...['eqeqeq', 'no-array-constructor', 'no-useless-constructor', 'no-var', 'prefer-const'],
          ...['prefer-rest-params', 'prefer-spread'],
        ),
        ...errors(
          ...['typescript/ban-ts-comment', 'typescript/no-deprecated', 'typescript/no-dynamic-delete'],
          ...['typescript/no-empty-object-type', 'typescript/no-explicit-any'],
          ...['typescript/no-generated-empty-object-type', 'typescript/no-invalid-void-type'],
          ...['typescript/no-misused-promises', 'typescript/no-mixed-enums', 'typescript/no-namespace'],
          ...['typescript/no-non-null-asserted-nullish-coalescing', 'typescript/no-non-null-assertion'],
          ...['typescript/no-require-imports', 'typescript/no-unnecessary-boolean-literal-compare'],
          ...['typescript/no-unnecessary-condition', 'typescript/no-unnecessary-template-expression'],
          ...['typescript/no-unnecessary-type-arguments', 'typescript/no-unnecessary-type-assertion'],
          ...['typescript/no-unnecessary-type-constraint', 'typescript/no-unnecessary-type-conversion'],
          ...['typescript/no-unnecessary-type-parameters', 'typescript/no-unsafe-argument'],
          ...['typescript/no-unsafe-assignment', 'typescript/no-unsafe-call'],
          ...['typescript/no-unsafe-enum-comparison', 'typescript/no-unsafe-function-type'],
          ...['typescript/no-unsafe-member-access', 'typescript/no-unsafe-return'],
          ...['typescript/only-throw-error', 'typescript/prefer-literal-enum-member'],
          ...['typescript/prefer-promise-reject-errors', 'typescript/prefer-reduce-type-parameter'],
          ...['typescript/prefer-return-this-type', 'typescript/related-getter-setter-pairs'],
          ...['typescript/require-await', 'typescript/return-await', 'typescript/unified-signatures'],
          ...['typescript/use-unknown-in-catch-callback-variable'],
        ),
        // A decorated class may have no more than its decorators: Nest's modules are.
        'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
        'typescript/restrict-plus-operands': [
          'error',
          ...[{ allowAny: false, allowBoolean: false, allowNullish: false, allowRegExp: false }].map(
            (options) => ({ ...options, allowNumberAndString: false }),
          ),
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        'typescript/switch-exhaustiveness-check': [
          'error',
          { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
        ],
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
      rules: {
        ...errors('react/rules-of-hooks', 'react/unsupported-syntax'),
        // The router's redirects are thrown, and are not errors.
        'typescript/only-throw-error': [
          'error',
          { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
        ],
        'eslint-js/no-restricted-syntax': [
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
      rules: { 'id-denylist': ['error', ...RETIRED_NAMES] },
    },
    {
      files: ['src/**/*.ts'],
      rules: { 'eslint-js/no-restricted-syntax': ['error', CONTROLLERS_ELSEWHERE, MODULES_ELSEWHERE] },
    },
    {
      files: ['src/**/*.controller.ts'],
      rules: { 'eslint-js/no-restricted-syntax': ['error', COMPUTED_PATHS, MODULES_ELSEWHERE] },
    },
    {
      files: ['src/**/*.module.ts'],
      rules: { 'eslint-js/no-restricted-syntax': ['error', CONTROLLERS_ELSEWHERE] },
    },
    {
      files: ['test/**/*.ts', 'packages/*/test/**/*.ts'],
      rules: {
        // supertest answers `any` bodies, and Jest's matchers take what they are given.
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-non-null-assertion': 'off',
        'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      },
    },
    {
      files: ['test/**/*.ts'],
      excludeFiles: ['test/support/property-testing.ts'],
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
      env: { node: true },
      // Without types, `require('node:path')` is an object whose methods may need it.
      rules: { 'no-undef': 'error', 'typescript/unbound-method': 'off' },
    },
  ],
};
