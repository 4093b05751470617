import { projectMapping } from '../accounts/project.entity';
import { userMapping } from '../accounts/user.entity';
import { accessSecretMapping } from '../access-secrets/access-secret.entity';
import { cellMapping } from '../cells/cell.entity';
import { cloudMapping } from '../clouds/cloud.entity';
import type { RequestContext } from '../core/context/request-context';
import type { ResourceMapping } from '../database/resource-mapping';
import { anyDeviceMapping } from '../devices/device-kind';
import { deviceKinds } from '../devices/device-kinds';
import { auditMapping } from '../governance/audits/audit.entity';
import { variableDefinitionMapping } from '../governance/definitions/variable-definition.entity';
import { labelMapping } from '../labels/label.entity';
import { regionMapping } from '../regions/region.entity';
import { viewMapping } from '../views/saved-view.entity';

/** Kinds with names. Devices of all kinds are searched at once. */
const NAMED: readonly ResourceMapping[] = [
  regionMapping,
  cellMapping,
  labelMapping,
  anyDeviceMapping,
  cloudMapping,
  userMapping,
  auditMapping,
  viewMapping,
  variableDefinitionMapping,
];

/** The kinds that the caller finds by name. */
export const namedKinds = ({ principal }: RequestContext): readonly ResourceMapping[] =>
  principal.isRoot ? [...NAMED, projectMapping] : NAMED;

/** The kinds that the caller finds by id and UUID. Only admins can read access secrets. */
export const identifiedKinds = (ctx: RequestContext): readonly ResourceMapping[] =>
  ctx.principal.isRoot || ctx.principal.isAdmin ? [...namedKinds(ctx), accessSecretMapping] : namedKinds(ctx);

/** The kind of hits that are keys of variables. */
export const VARIABLE_KEY = 'variable-key';

/** The kind of hits that are changes. */
export const CHANGE = 'change';

/** The collections of all kinds, by kind, in the order of hits that match equally well. */
export const collections: ReadonlyMap<string, string> = new Map([
  ...[projectMapping, ...NAMED, accessSecretMapping]
    .flatMap((mapping) =>
      mapping === anyDeviceMapping ? deviceKinds.map((kind) => kind.mapping) : [mapping],
    )
    .map(({ kind, collection }) => [kind, collection] as const),
  [VARIABLE_KEY, 'variable-keys'],
  [CHANGE, 'changes'],
]);

/** The levels that devices inherit from. There are so few of them that their documents need no index. */
export const LEVELS: readonly ResourceMapping[] = [regionMapping, cellMapping, labelMapping];
