import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { ERROR_CODES } from '../../core/errors/inventory-error';
import { ApiErrors, errorResponse } from '../../http/api-errors';
import { PreviewedImpactView } from '../../resources/preview.view';
import { ApiWrite } from '../../resources/resource-routes';
import { LINES, TABLE } from './import-body';
import { MODES } from './import-query';
import { lineKinds } from './line-kinds';

const linesOf = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

const EXAMPLE = linesOf([
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

const TABLE_EXAMPLE = [
  'name,region,cell,parent,ip_address,device_type,labels,variables.rack',
  'node1,eqiad,rack-1,sw1,10.0.0.1,server,web,4',
  '',
].join('\r\n');

const SUMMARY = { created: 5, updated: 0, unchanged: 0, failed: 0, errors: [] };

const count = (description: string, example: number) => ({ type: 'integer' as const, description, example });

const summary = {
  type: 'object' as const,
  required: ['created', 'updated', 'unchanged', 'failed', 'errors'],
  properties: {
    created: count('Lines of something new.', 5),
    updated: count('Lines that altered what was there.', 0),
    unchanged: count('Lines that say what was so already.', 0),
    failed: count('Lines that were not imported.', 0),
    errors: {
      type: 'array' as const,
      description: 'The first 1000 of them, in the order of the lines.',
      items: {
        type: 'object' as const,
        required: ['line', 'code', 'message'],
        properties: {
          line: count('Of the body, from 1 on.', 17),
          code: { type: 'string' as const, enum: ERROR_CODES, example: 'validation_exception' },
          message: { type: 'string' as const, example: 'region: there is no region "codfw" in this project' },
        },
      },
      example: [],
    },
  },
};

/** Of a trial. */
const trial = {
  type: 'object' as const,
  required: ['dry_run', ...summary.required, 'impact'],
  properties: {
    dry_run: { type: 'boolean' as const, example: true },
    ...summary.properties,
    impact: { $ref: getSchemaPath(PreviewedImpactView) },
  },
};

/** Describes the route that imports. */
export const ApiImport = () => {
  const types = [...lineKinds.values()].map(({ line }) => line);
  return applyDecorators(
    ApiExtraModels(...types, PreviewedImpactView),
    ApiOperation({
      summary: 'Import an inventory: create and update what lines tell of, by their names, in one change',
    }),
    ApiWrite(),
    ApiQuery({
      name: 'mode',
      required: false,
      description:
        '`all`: if a line cannot be imported, none is. `partial`: those that can be are imported, and the answer names the others.',
      schema: { type: 'string', enum: [...MODES], default: 'all', example: 'partial' },
    }),
    ApiConsumes(LINES, TABLE),
    ApiBody({
      required: true,
      description:
        'A JSON object in each line, in any order; or a table of hosts. Members that a line does not name stay as they are. `Content-Encoding` may be `gzip`, `deflate` or `br`.',
      schema: {
        type: 'string',
        description: `Each line is one of ${types.map(({ name }) => `\`${name}\``).join(', ')}. Of a table, each is a host.`,
        example: EXAMPLE,
      },
      examples: {
        [LINES]: { value: EXAMPLE },
        [TABLE]: { summary: 'A table of hosts', value: TABLE_EXAMPLE },
      },
    }),
    ApiResponse({
      status: 200,
      description: `What the lines came to. With \`Accept: ${LINES}\` a line for each line of the body, in its order, and this one at the end. A trial has \`dry_run\` and \`impact\`, too.`,
      content: {
        'application/json': {
          schema: { oneOf: [{ ...summary, additionalProperties: false }, trial] },
          example: SUMMARY,
        },
        [LINES]: {
          schema: {
            type: 'string',
            example: linesOf([{ line: 1, result: 'created', kind: 'region', id: 1, name: 'eqiad' }, SUMMARY]),
          },
        },
      },
    }),
    ApiErrors(400, 401, 403, 405, 409, 415),
    ApiResponse({
      status: 413,
      ...errorResponse(413),
      description: 'The body is larger than 4 GiB (`IMPORT_LIMIT_BYTES`).',
    }),
  );
};
