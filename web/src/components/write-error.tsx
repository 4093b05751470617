import { ImportFaults, importReportOf } from './import-faults';
import { ItemErrors } from './item-errors';
import type { PlannedWrite } from './planned-write';

interface Props {
  readonly error: Error;
  readonly write: PlannedWrite;
  /** Creates the regions and cells that an import names, and that do not exist. */
  readonly onCreate: (write: PlannedWrite) => void;
}

/** Why a write was rejected: the faults of the lines of an import, or of the items of another write. */
export function WriteError({ error, write, onCreate }: Props) {
  const report = importReportOf(error);
  if (report) return <ImportFaults report={report} lines={write.lines} onCreate={onCreate} />;
  return <ItemErrors error={error} itemTitle={write.itemTitle} />;
}
