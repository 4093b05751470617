import { getSchemaPath } from '@nestjs/swagger';
import { namedSchema } from '../../http/api-schemas';
import { ERROR_CODES } from '../../core/errors';
import { PreviewedImpactView } from '../../resources/impact.view';
import { RejectedReasonView, RequiredApprovalView } from '../../resources/preview.view';
import { MAX_REPORTED_TYPE_CHANGES, MAX_REPORTED_UNUSUAL_TYPES } from './import-report';
import { MAX_REPORTED_SIMILAR_KEYS } from './similar-keys';

/** Formats objects as NDJSON. */
export const toNdjson = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** An example of a body of JSON lines. */
export const NDJSON_EXAMPLE = toNdjson([
  { kind: 'label', label: 'web', variables: { port: 443 } },
  { kind: 'region', name: 'eqiad', variables: { ntp_servers: ['10.0.0.1'] } },
  { kind: 'cell', region: 'eqiad', name: 'rack-1' },
  { kind: 'network-device', name: 'sw1', region: 'eqiad', ip_address: '10.0.0.2', device_type: 'switch' },
  {
    kind: 'host',
    name: 'node1',
    region: 'eqiad',
    cell: 'rack-1',
    parent: 'sw1',
    ip_address: '10.0.0.1',
    device_type: 'server',
    labels: ['web'],
    variables: { rack: 4 },
  },
]);

/** An example of a table. */
export const CSV_EXAMPLE = [
  'name,region,cell,parent,ip_address,device_type,labels,variables.rack',
  'node1,eqiad,rack-1,sw1,10.0.0.1,server,web,4',
  '',
].join('\r\n');

/** The summary of the examples. */
export const SUMMARY_EXAMPLE = { created: 5, updated: 0, unchanged: 0, failed: 0, errors: [] };

const countSchema = (description: string, example: number) => ({
  type: 'integer' as const,
  description,
  example,
});

const jsonTypeSchema = {
  type: 'string' as const,
  enum: ['string', 'number', 'boolean'],
  description: 'A JSON type.',
};

/** New values of one type class in a column: the first one, and their number. */
const typeSample = {
  type: 'object' as const,
  required: ['line', 'cell', 'type', 'count'],
  properties: {
    line: countSchema('The line of the first record with such a value.', 7),
    cell: {
      type: 'string' as const,
      description: 'That value, of which at most 100 characters.',
      example: '6.8',
    },
    type: { ...jsonTypeSchema, example: 'number' },
    count: countSchema('The number of such values: of texts, or of numbers and booleans.', 12),
  },
};

/** The summary of an import. */
const summarySchema = {
  type: 'object' as const,
  required: ['created', 'updated', 'unchanged', 'failed', 'errors'],
  properties: {
    created: countSchema('The number of lines that created a resource.', 5),
    updated: countSchema('The number of lines that updated a resource.', 0),
    unchanged: countSchema('The number of lines that changed nothing.', 0),
    failed: countSchema('The number of lines that were not imported.', 0),
    errors: {
      type: 'array' as const,
      description: 'The first 1000 errors, sorted by line.',
      items: namedSchema('ImportError', {
        type: 'object' as const,
        required: ['line', 'code', 'message'],
        properties: {
          line: countSchema('The line number in the body. The first line is 1.', 17),
          code: { type: 'string' as const, enum: ERROR_CODES, example: 'validation_exception' },
          message: { type: 'string' as const, example: 'region: there is no region "codfw" in this project' },
          missing: {
            type: 'array' as const,
            description:
              'The regions and cells that the line names and that do not exist, as lines of an import that creates them. Absent if the line names a cell without its region, if an unreadable line may create them, and in the lines of a response.',
            items: namedSchema('ImportMissingLocation', {
              type: 'object' as const,
              required: ['kind', 'name'],
              properties: {
                kind: { type: 'string' as const, enum: ['region', 'cell'], example: 'cell' },
                region: { type: 'string' as const, description: 'That of a cell.', example: 'codfw' },
                name: { type: 'string' as const, example: 'rack-1' },
              },
            }),
          },
          expected_texts: {
            type: 'array' as const,
            description:
              'The variables that must be texts by their definitions, but are not in this line. Only in `errors` of a summary.',
            items: { type: 'string' as const, example: 'kernel' },
          },
        },
      }),
      example: [],
    },
    ignored_empty_cells: countSchema(
      'For tables: the number of empty cells in columns of members and variables that existing devices have. They change nothing.',
      3,
    ),
    type_changes_total: countSchema(
      'For tables: how many variables change from a text to a number or boolean, or the other way round, or from a list or object to one of these, or are numbers that lose digits.',
      1,
    ),
    type_changes: {
      type: 'array' as const,
      description: `For tables: the first ${String(MAX_REPORTED_TYPE_CHANGES)} of these variables, sorted by line.`,
      items: namedSchema('ImportTypeChange', {
        type: 'object' as const,
        required: ['line', 'name', 'key', 'before', 'after'],
        properties: {
          line: countSchema('The line of the table in which the record starts. The first line is 1.', 2),
          name: { type: 'string' as const, description: 'The name of the device.', example: 'node1' },
          key: { type: 'string' as const, description: 'The key of the variable.', example: 'version' },
          before: {
            ...jsonTypeSchema,
            enum: [...jsonTypeSchema.enum, 'array', 'object'],
            example: 'string',
          },
          after: {
            ...jsonTypeSchema,
            example: 'number',
            description: '`number` for a number that loses digits, too.',
          },
        },
      }),
      example: [{ line: 2, name: 'node1', key: 'version', before: 'string', after: 'number' }],
    },
    unusual_types: {
      type: 'array' as const,
      description: `For tables: the first ${String(MAX_REPORTED_UNUSUAL_TYPES)} columns of variables with values of another type than elsewhere, on devices that did not set the variable. A text is unusual if the project has values, but no texts. Otherwise a number or boolean is unusual if the column or the project has texts (\`6.8\` and \`6.10\`). A text that begins like a list or object, but is not JSON, has an entry of its own, also on devices with another value.`,
      items: namedSchema('ImportUnusualType', {
        type: 'object' as const,
        required: ['key', ...typeSample.required],
        properties: {
          key: { type: 'string' as const, description: 'The key of the variable.', example: 'kernel' },
          ...typeSample.properties,
          reason: {
            type: 'string' as const,
            enum: ['invalid_json', 'arrays_or_objects_elsewhere'],
            description:
              'Why texts are unusual, if not because of numbers or booleans: they begin like lists or objects, but are not JSON; or the project has lists or objects.',
            example: 'invalid_json',
          },
          others: namedSchema('ImportTypeSample', {
            ...typeSample,
            description:
              'The other values of the column on such devices. Absent if only resources of the project have some.',
          }),
        },
      }),
      example: [
        {
          ...{ key: 'kernel', line: 7, cell: '6.8', type: 'number', count: 12 },
          others: { line: 9, cell: '6.10', type: 'string', count: 1 },
        },
      ],
    },
    similar_keys: {
      type: 'array' as const,
      description: `For tables: the first ${String(MAX_REPORTED_SIMILAR_KEYS)} columns of variables that no resource sets, whose keys are easily mistaken for another one.`,
      items: namedSchema('ImportSimilarKey', {
        type: 'object' as const,
        required: ['key', 'similar_to'],
        properties: {
          key: { type: 'string' as const, description: 'The key of the new variable.', example: 'Kernel' },
          similar_to: {
            type: 'string' as const,
            description: 'A key that resources set, or that of another column.',
            example: 'kernel',
          },
        },
      }),
      example: [{ key: 'Kernel', similar_to: 'kernel' }],
    },
  },
};

/** The summary of a dry run. */
const previewSchema = {
  type: 'object' as const,
  required: ['dry_run', ...summarySchema.required, 'existing_devices', 'impact'],
  properties: {
    dry_run: {
      type: 'boolean' as const,
      example: true,
      description: 'Tells a preview from other responses.',
    },
    ...summarySchema.properties,
    existing_devices: countSchema(
      'How many of the devices of `impact` exist already. The import creates the others.',
      0,
    ),
    impact: { $ref: getSchemaPath(PreviewedImpactView) },
    approval_required: { $ref: getSchemaPath(RequiredApprovalView) },
    reason_rejected: { $ref: getSchemaPath(RejectedReasonView) },
  },
};

/** The response to an import. Both bodies are closed: otherwise a preview would be a summary, too. */
export const importResult = namedSchema('ImportResult', {
  oneOf: [
    namedSchema('ImportSummary', { ...summarySchema, additionalProperties: false }),
    namedSchema('ImportPreview', { ...previewSchema, additionalProperties: false }),
  ],
});
