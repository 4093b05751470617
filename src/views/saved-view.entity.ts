import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { fault, type Fault } from '../core/error-details';
import { characterCount, oneLineError } from '../core/text';
import { column, type ResourceMapping, ResourceEntity } from '../database/resource-mapping';
import { JsonCheck } from '../http/body-validation';
import { textFilter } from '../lists/list-filter';
import { LongText, Special, Text } from '../resources/member-decorators';
import { fieldsOf, View } from '../resources/members';
import type { ResourceDefinition } from '../resources/resource-definition';
import { NO_INHERITANCE } from '../variables/levels';

/** Of an address, in characters: filters can be long. */
const MAX_ADDRESS_LENGTH = 8_000;

export const ADDRESS = {
  type: String,
  maxLength: MAX_ADDRESS_LENGTH,
  pattern: String.raw`^/[^/\\\s][^\\\s]*$`,
  example: '/devices?collection=hosts&where=kernel+%3C+%226.12%22',
  description:
    'The page of the explorer with its filters, columns and order: the path and the query of its URL, without the project.',
};

/** A path within the explorer: it cannot lead to another site. */
const isAddress = (text: string): boolean =>
  new RegExp(ADDRESS.pattern).test(text) && text.isWellFormed() && oneLineError(text) === undefined;

export function addressFault(value: unknown): Fault | undefined {
  if (typeof value !== 'string') return fault('invalid_type', 'must be a string');
  if (characterCount(value) > MAX_ADDRESS_LENGTH)
    return fault('invalid_value', `must have at most ${String(MAX_ADDRESS_LENGTH)} characters`);
  return isAddress(value)
    ? undefined
    : fault(
        'invalid_format',
        'must be a path that begins with one slash, with a query, without spaces and invisible characters',
      );
}

/** A list of the explorer with its filters, columns and order, under a name that the users of the project share. */
@Entity('views')
export class SavedView extends ResourceEntity {
  @Text({ example: 'old-kernels', description: 'Unique in the project.' })
  name!: string;

  @LongText('Hosts that need a new kernel.', 'What the view is for.')
  description?: string | null;

  @Special({
    column: { type: 'text' },
    field: column('address', 'text'),
    isRequired: true,
    inView: ApiProperty(ADDRESS),
    inBody: applyDecorators(JsonCheck('address', addressFault), ApiProperty(ADDRESS)),
  })
  address!: string;
}

/** The response for a saved view: the schema `SavedView`. */
export class SavedViewView extends View(SavedView) {}

/** Saved views: the table and the collection `views`, the kind `view` in change records. */
export const viewMapping: ResourceMapping = {
  kind: 'view',
  collection: 'views',
  table: 'views',
  idType: 'bigint',
  nameField: 'name',
  fields: fieldsOf(SavedView),
  carriesVariables: false,
  usedBy: [],
};

export const views: ResourceDefinition = {
  mapping: viewMapping,
  inheritance: NO_INHERITANCE,
  filters: [textFilter('name', 'The exact name.', 'old-kernels')],
  showsVariables: false,
  filtersVariables: false,
};
