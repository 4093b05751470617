import { useEffect, useRef } from 'react';
import { ChangeLink } from '../../components/change-link';
import { useChangeOfRequest } from '../../components/use-change-of-request';
import { importText, type ImportCounts } from '../../components/import-counts';
import { Notice } from '../../components/notice';
import { RouteLink } from '../../components/resource-link';

/** A file that was imported. */
export interface ImportedFile {
  /** Of the file. */
  readonly name: string;
  readonly counts: ImportCounts;
  /** The id of the request, by which the change is found. */
  readonly requestId: string | null;
}

/** What an import has created and changed, with the way to it. */
export function ImportedFileNotice({ name, counts, requestId }: ImportedFile) {
  const change = useChangeOfRequest(requestId);
  const notice = useRef<HTMLDivElement>(null);
  // The form, which had the focus, is gone.
  useEffect(() => {
    notice.current?.focus();
  }, [requestId]);
  return (
    <div ref={notice} tabIndex={-1}>
      <Notice kind="info" title={`${name} is imported`}>
        {importText(counts)}
        {change?.id !== undefined && (
          <>
            <ChangeLink id={change.id}>Show what change {change.id} created and changed</ChangeLink>
            {', or '}
          </>
        )}
        <RouteLink to="/devices" search={{}} size="sm">
          {change?.id === undefined ? 'Show all devices' : 'all devices'}
        </RouteLink>
        .
      </Notice>
    </div>
  );
}
