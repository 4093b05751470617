import { deviceKinds } from '../../devices/device-kinds';
import { membersOfKind } from '../export/exported-kinds';
import { columnsToRead } from './host-columns';

/** The columns that a table of devices may have when it is read: also those of other kinds of devices than hosts. */
export const deviceColumns = columnsToRead(deviceKinds.flatMap(({ shape }) => membersOfKind(shape)));
