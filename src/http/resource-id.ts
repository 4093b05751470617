import { Injectable, type PipeTransform } from '@nestjs/common';
import { InventoryError } from '../core/errors/inventory-error';
import { parseId, parseUuid } from '../core/parse-id';

/** The `{id}` of a path to a resource. 400 for what is no integer, 404 for an integer that no id can be. */
export class ResourceIdPipe implements PipeTransform<string, number> {
  constructor(private readonly resource: { readonly kind: string }) {}

  transform(value: string): number {
    const id = parseId(value);
    if (id === undefined) throw InventoryError.invalid('id', 'must be an integer');
    // Said here, where it is still known which number was asked for.
    if (id === 0) throw InventoryError.notFound(this.resource.kind, value);
    return id;
  }
}

/** The `{id}` of a project's path. 400 for what is no UUID. */
@Injectable()
export class ProjectIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    const id = parseUuid(value);
    if (id === undefined) throw InventoryError.invalid('id', 'must be a UUID');
    return id;
  }
}
