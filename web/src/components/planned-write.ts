import type { ReactNode } from 'react';
import type { PlainRequest } from '../api/request';
import type { Conflict } from './three-way';

/** A write that has not been sent. */
export interface PlannedWrite {
  /** What it does: `Set ntp_servers on web-1`. */
  readonly title: string;
  readonly request: PlainRequest;
  /** The words of the `muster` command that does the same. */
  readonly command?: readonly string[];
  /** Shown in the commands instead of a body that contains a secret. */
  readonly shownBody?: string;
  /** What a line of an import is in the file that it comes from. */
  readonly lineTitle?: (line: number) => string;
  /** What else the write would do, which its dry run does not say. */
  readonly effect?: ReactNode;
  /** The reason, unless the user enters another one. */
  readonly reason?: string;
  /** How the write goes on if the resource was changed meanwhile (412). */
  readonly conflict?: Conflict;
}

/** What `PreviewedWrite` needs. */
export interface WriteDialogProps {
  readonly write: PlannedWrite;
  readonly onClose: () => void;
  /** Called after the write with the body of the response, when what was read before is outdated. */
  readonly onApplied?: (body: unknown) => void;
  /** Called instead of `onClose` when the dialog is closed after the write was proposed. By default `onClose`. */
  readonly onProposed?: () => void;
}
