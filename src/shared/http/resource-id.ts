import { Injectable, type PipeTransform } from '@nestjs/common';
import { InventoryError } from '../errors/inventory-error';

const INTEGER = /^-?\d+$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/**
 * An id from its decimal text; undefined if it is no integer. An integer that no id can be (negative, or beyond what
 * identity columns reach) becomes 0, which nothing has: it is well formed and not there, not malformed.
 */
export function parseId(text: string): number | undefined {
  if (!INTEGER.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/** A UUID with or without dashes and in any case, in the form that the database prints; undefined if it is none. */
export function parseUuid(text: string): string | undefined {
  if (!UUID.test(text)) return undefined;
  const hex = text.replaceAll('-', '').toLowerCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

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
