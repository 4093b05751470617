import { Injectable, type PipeTransform } from '@nestjs/common';
import { InventoryError } from '../core/errors';
import { parseId, parseUuid } from '../core/parameters';

/** The `{id}` in the path of a resource. 400 if it is not an integer, 404 for an integer out of range. */
export class ResourceIdPipe implements PipeTransform<string, number> {
  constructor(private readonly resource: { readonly kind: string }) {}

  transform(value: string): number {
    const id = parseId(value);
    if (id === undefined) throw InventoryError.invalid('id', 'invalid_format', 'must be an integer');
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
