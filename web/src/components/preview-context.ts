import type { components } from '@muster/api-types';
import { createContext, useContext } from 'react';
import { deviceKind } from '../api/kinds';

type ChangedObject = components['schemas']['ChangedObject'];

/** What a preview would create: these resources have no page yet. */
export interface Previewed {
  /** Empty if the preview does not say it, as that of an import. */
  readonly created: readonly Pick<ChangedObject, 'kind' | 'id' | 'name'>[];
}

/** Undefined outside of previews: then everything that is shown exists, or did. */
export const PreviewContext = createContext<Previewed | undefined>(undefined);

/** Whether what is shown is a preview: nothing of it is written yet. */
export const useIsPreview = (): boolean => useContext(PreviewContext) !== undefined;

/** The context of a preview. @param objects those that it would change */
export const previewOf = (objects: readonly ChangedObject[] = []): Previewed => ({
  created: objects.filter(({ action }) => action === 'create'),
});

/** A resource that the preview creates; undefined for others. @param kind `device` for a device of any kind */
export const createdIn = (preview: Previewed | undefined, kind: string, id: number) =>
  preview?.created.find(
    (one) => one.id === id && (kind === 'device' ? deviceKind(one.kind) !== undefined : one.kind === kind),
  );
