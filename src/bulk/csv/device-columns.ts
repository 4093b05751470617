import { deviceKinds } from '../../devices/device-kinds';
import { membersOfKind } from '../export/exported-kinds';
import { columnsToRead } from './host-columns';

/** The columns that an imported CSV file of devices can have. It can contain devices of all kinds. */
export const deviceColumns = columnsToRead(deviceKinds.flatMap(({ shape }) => membersOfKind(shape)));
