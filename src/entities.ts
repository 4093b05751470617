import { AccessSecret } from './access-secrets/access-secret.entity';
import { Project } from './accounts/project.entity';
import { ProjectSettings } from './accounts/settings/settings.entity';
import { User } from './accounts/user.entity';
import { Cell } from './cells/cell.entity';
import { Cloud } from './clouds/cloud.entity';
import { Device } from './devices/device.entity';
import { deviceKinds } from './devices/device-kinds';
import { Label } from './labels/label.entity';
import { Audit } from './governance/audits/audit.entity';
import { SavedView } from './views/saved-view.entity';
import { VariableDefinition } from './governance/definitions/variable-definition.entity';
import { Proposal } from './proposals/proposal.entity';
import { Region } from './regions/region.entity';

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
  SavedView,
  Proposal,
  Device,
  ...deviceKinds.map((kind) => kind.entity),
] as const;
