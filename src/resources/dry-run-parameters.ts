import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiQuery } from '@nestjs/swagger';
import { LIMITS } from '../list/list-query';
import { PreviewView } from './preview.view';

const { least, most, usual } = LIMITS.preview;

/** Whether a write is only tried, and which page is shown of what it would do. The answer is described for all writes. */
export const ApiDryRun = () =>
  applyDecorators(
    ApiQuery({
      name: 'dry_run',
      required: false,
      description:
        'Whether the write is only tried: checked exactly as the real one, it writes nothing and is answered with what it would do.',
      schema: { type: 'boolean', default: false, example: true },
    }),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'Of a dry run: how many affected devices are shown at most.',
      schema: { type: 'integer', minimum: least, maximum: most, default: usual, example: 100 },
    }),
    ApiQuery({
      name: 'marker',
      required: false,
      description: 'Of a dry run: the id of the last affected device seen.',
      schema: { type: 'integer', format: 'int64', example: 1 },
    }),
    ApiExtraModels(PreviewView),
  );
