import { ImportFaults, importReportOf } from './import-faults';
import { ItemErrors, type ItemErrorsProps } from './item-errors';
import type { PlannedWrite, WriteDescription } from './planned-write';

interface Props extends Pick<ItemErrorsProps, 'onCorrect' | 'takesFocus'> {
  readonly error: Error;
  readonly write: WriteDescription;
  /** Creates the regions and cells that an import names, and that do not exist. */
  readonly onCreate: (write: PlannedWrite) => void;
}

/** Why a write was rejected: the faults of the lines of an import, or of the items of another write. */
export function WriteError({ error, write, onCreate, ...items }: Props) {
  const report = importReportOf(error);
  if (report) return <ImportFaults report={report} lines={write.lines} onCreate={onCreate} />;
  return <ItemErrors error={error} itemTitle={write.itemTitle} itemMessage={write.itemMessage} {...items} />;
}
