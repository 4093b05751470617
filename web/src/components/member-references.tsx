import { useLocations } from '../api/locations';
import { CloudName } from './cloud-name';
import { DeviceReference } from './device-reference';
import { LevelLink } from './level-link';

/** The members that name another resource by its id. */
const REFERENCES = ['region_id', 'cell_id', 'cloud_id', 'parent_id'] as const;
export type ReferringMember = (typeof REFERENCES)[number];

/** A member that names another resource; undefined for others. */
export const referringMember = (name: string): ReferringMember | undefined =>
  REFERENCES.find((member) => member === name);

interface Props {
  readonly member: ReferringMember;
  readonly id: number;
}

/** The name of the resource that a member names by its id. */
export function MemberReference({ member, id }: Props) {
  const { regionName, cellTitle } = useLocations();
  switch (member) {
    case 'region_id':
      return <LevelLink kind="region" id={id} name={regionName(id)} />;
    case 'cell_id':
      return <LevelLink kind="cell" id={id} name={cellTitle(id)} />;
    case 'cloud_id':
      return <CloudName id={id} />;
    case 'parent_id':
      return <DeviceReference id={id} />;
  }
}
