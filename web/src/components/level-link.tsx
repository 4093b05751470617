import { useLocations } from '../api/locations';
import { LevelMark, levelOf } from './level-mark';
import { ResourceLink } from './resource-link';

interface Props {
  readonly kind: string;
  readonly id: number;
  readonly name: string | null;
  /** In a list, where names stand out. */
  readonly isInTable?: boolean;
}

/** A region, cell, label or device with its mark and a link, for lists that mix them: cells are shown with their regions. */
export function LevelLink({ kind, id, name, isInTable = false }: Props) {
  const { cellTitle } = useLocations();
  return (
    <LevelMark level={levelOf(kind)}>
      <ResourceLink
        kind={kind}
        id={id}
        name={kind === 'cell' ? cellTitle(id, name ?? undefined) : name}
        isInTable={isInTable}
      />
    </LevelMark>
  );
}
