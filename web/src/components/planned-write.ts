import type { ApiErrorDetail } from '@muster/api-types';
import type { ReactNode } from 'react';
import type { PlainRequest } from '../api/request';
import type { ItemFault } from './item-faults';
import type { Conflict } from './conflict';

/** What the lines of an import are to the user. */
export interface ImportLines {
  /** `line`, or what they change if there is no file: `host`. */
  readonly noun: string;
  /** @param line counted from 1 */
  readonly titleOf: (line: number) => string;
}

/** A region, cell, label or device that a write is about. */
export interface WrittenResource {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** What is sent for a write, and how that goes on. */
export interface WriteRequest {
  readonly request: PlainRequest;
  /** How the write goes on if the resource was changed meanwhile (412). */
  readonly conflict?: Conflict | undefined;
}

/** What is known of a write before anything is read for it. */
export interface WriteDescription {
  /** What it does: `Set ntp_servers on web-1`. */
  readonly title: string;
  /** The words of the `muster` command that does the same. */
  readonly command?: readonly string[];
  /** Shown in the commands instead of a body that contains a secret. */
  readonly shownBody?: string;
  /** Of an import: errors name its lines. By default those of a file. */
  readonly lines?: ImportLines;
  /** What an operation of a batch, or a resource of an array, is to the user: errors name it. */
  readonly itemTitle?: (fault: Pick<ItemFault, 'index' | 'field'>) => string;
  /** What is wrong with a part of the write, behind its title. By default, the message of the service, which names the field. */
  readonly itemMessage?: ((fault: ItemFault) => string) | undefined;
  /** Whether the response has a secret, which is shown once: at once, before the page is read again. */
  readonly hasSecretResponse?: boolean;
  /** The resources that it is about, if its dry run only counts them, as that of an import. */
  readonly resources?: readonly WrittenResource[];
  /** Shown below the preview: what else the write would do, which its dry run does not say. */
  readonly extraPreview?: ReactNode;
  /** The reason, unless the user enters another one. */
  readonly reason?: string;
}

/** A write that has not been sent. */
export interface PlannedWrite extends WriteDescription, WriteRequest {}

/** A write for which something is read first, such as entity tags: its dialog is shown meanwhile, and takes the reason. */
export interface DeferredWrite extends WriteDescription {
  /** Why it fails is shown in the dialog. */
  readonly prepare: (signal: AbortSignal) => Promise<WriteRequest>;
}

/** What `PreviewedWrite` needs. */
export interface WriteDialogProps {
  readonly write: PlannedWrite | DeferredWrite;
  readonly onClose: () => void;
  /** Called after the write, when what was read before is outdated; also if the dialog was closed before the response. */
  readonly onWritten?: () => void;
  /**
   * Called after `onClose` and the write with the response and its body; if the dialog was closed before, only for a secret: what
   * is entered since then must stay.
   */
  readonly onApplied?: (body: unknown, response: Response) => void;
  /**
   * Called after `onClose` if the user keeps the change of another user instead of this write.
   * @param inConflict the operations of a batch that are in conflict, counted from 0
   */
  readonly onKeepTheirs?: (inConflict: readonly number[]) => void;
  /** Called with what is wrong with the items of the write, and with nothing once they are right. */
  readonly onFaults?: (faults: readonly ItemFault[]) => void;
  /** Called with the details of a rejection, and with [] when there is none. */
  readonly onDetails?: (details: readonly ApiErrorDetail[]) => void;
  /** Called after `onClose` with what is wrong with an item that the user wants to correct. */
  readonly onCorrect?: (fault: ItemFault) => void;
  /** Called after `onClose` when the write was proposed, unless the dialog was closed before. The proposal is shown then. */
  readonly onProposed?: () => void;
}
