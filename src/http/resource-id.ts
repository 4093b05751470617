import { Injectable, type PipeTransform } from '@nestjs/common';
import { InventoryError } from '../core/errors';
import { parseId, parseUuid } from '../core/parameters';
import type { ResourceMapping } from '../database/resource-mapping';

/**
 * The `{id}` in the path of a resource. 400 if it is not an integer, 404 for an integer out of range. A UUID has been
 * replaced before: see `PathUuids`.
 */
export class ResourceIdPipe implements PipeTransform<string, number> {
  constructor(private readonly resource: Pick<ResourceMapping, 'kind' | 'fields'>) {}

  transform(value: string): number {
    const id = parseId(value);
    if (id === undefined)
      throw InventoryError.invalid(
        'id',
        'invalid_format',
        this.resource.fields['uuid'] ? 'must be an integer or a UUID' : 'must be an integer',
      );
    // Thrown here, because the original number is not known later.
    if (id === 0) throw InventoryError.notFound(this.resource.kind, value);
    return id;
  }
}

/** The `{id}` in the path of a project. 400 if it is not a UUID. */
@Injectable()
export class ProjectIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    const id = parseUuid(value);
    if (id === undefined) throw InventoryError.invalid('id', 'invalid_format', 'must be a UUID');
    return id;
  }
}
