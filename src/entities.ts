import { AccessSecret } from './access-secrets/access-secret';
import { Project } from './accounts/project';
import { ProjectSettings } from './accounts/settings/settings';
import { User } from './accounts/user';
import { Cell } from './cells/cell';
import { Cloud } from './clouds/cloud';
import { Device } from './devices/device';
import { deviceKinds } from './devices/device-kinds';
import { Label } from './labels/label';
import { Audit } from './governance/audits/audit';
import { VariableDefinition } from './governance/definitions/variable-definition';
import { Region } from './regions/region';

/** Every entity, for the connection. */
export const entities = [
  Project,
  ProjectSettings,
  User,
  Cloud,
  Region,
  Cell,
  Label,
  AccessSecret,
  VariableDefinition,
  Audit,
  Device,
  ...deviceKinds.map((kind) => kind.entity),
] as const;
