import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { editDistance } from '../core/edit-distance';
import { InventoryError } from '../core/errors/inventory-error';
import { ADMIN_COLLECTIONS, type RouteAccess } from './access';
import { ACCESS } from './access.decorators';

const SUFFIX = ':write';
/** More edits leave no name recognizable. */
const MAX_EDITS = 3;

/** The collections that a role can name: those that routes declare with `write` or `writeVariables`. */
@Injectable()
export class RoleCollections {
  private names: readonly string[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @throws InventoryError 400 for a role of a collection that does not exist; the message names the closest role */
  assertKnown(roles: readonly string[]): void {
    this.names ??= this.declaredCollections();
    for (const role of roles) {
      if (!role.endsWith(SUFFIX)) continue;
      const collection = role.slice(0, -SUFFIX.length);
      if (collection !== '*' && !this.names.includes(collection))
        throw InventoryError.invalid('roles', unknownCollectionText(collection, this.names));
    }
  }

  private declaredCollections(): string[] {
    const declared = this.discovery.getControllers().flatMap(({ instance }: { instance: object }) => {
      const handlers = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      return this.scanner.getAllMethodNames(handlers).flatMap((name) => {
        const handler = handlers[name];
        const access = handler && this.reflector.get<RouteAccess | undefined>(ACCESS, handler);
        return access?.needs === 'write' ? [access.collection] : [];
      });
    });
    return [...new Set([...declared, ...ADMIN_COLLECTIONS])].sort();
  }
}

function unknownCollectionText(collection: string, names: readonly string[]): string {
  const [closest] = names
    .map((name) => ({ name, edits: editDistance(collection, name) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits);
  const hint = closest ? `did you mean ${closest.name}${SUFFIX}?` : `the collections are ${names.join(', ')}`;
  return `${JSON.stringify(collection + SUFFIX)} names no collection: ${hint}`;
}
