import { ChildEntity } from 'typeorm';
import { Device } from '../../device.entity';
import { deviceKind } from '../../device-kind';

/** A device that is directly configurable over SSH. */
@ChildEntity('host')
export class Host extends Device {}

export const host = deviceKind({ kind: 'host', entity: Host });
