import { useIsPreview } from './preview-context';
import { LabelPills, namesIn } from './label-pills';
import { ValueChange } from './value-change';

/** The labels of a device before and after a change. In a preview, those that are added may not exist yet. */
export function LabelChange({ change }: { readonly change: unknown }) {
  const isPreview = useIsPreview();
  const before = new Set(labelsBefore(change));
  return (
    <ValueChange
      change={change}
      render={(labels) =>
        typeof labels === 'string' && labels !== '' ? (
          <LabelPills labels={labels} isLinked={(label) => !isPreview || before.has(label)} />
        ) : (
          'none'
        )
      }
    />
  );
}

const labelsBefore = (change: unknown): readonly string[] =>
  typeof change === 'object' && change !== null && 'before' in change && typeof change.before === 'string'
    ? namesIn(change.before)
    : [];
