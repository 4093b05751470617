import { Text } from '@mantine/core';
import type { components } from '@muster/api-types';
import { kindWords } from '../api/kinds';
import { useLocations } from '../api/locations';
import { titledObject, titleOf } from './change-summary';
import classes from './changed-object-list.module.css';
import { hasLevel, LevelMark, levelOf } from './level-mark';
import { ObjectDiff } from './object-diff';
import { ResourceLink } from './resource-link';

type ChangedObject = components['schemas']['ChangedObject'];

interface Props {
  readonly objects: readonly ChangedObject[];
  /** Whether the changes are proposed: then nothing has been created or deleted yet. */
  readonly isProposed?: boolean;
}

/** Resources that a change touches, each with what changes. */
export const ChangedObjectList = ({ objects, isProposed = false }: Props) => (
  <ol className={classes.objects} aria-label="Changed resources">
    {objects.map((object) => (
      <li key={`${object.kind}/${object.id}`} className={classes.object}>
        <ObjectTitle object={object} isProposed={isProposed} />
        <ObjectDiff object={object} />
      </li>
    ))}
  </ol>
);

const ACTIONS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

interface TitleProps {
  readonly object: ChangedObject;
  readonly isProposed: boolean;
}

function ObjectTitle({ object, isProposed }: TitleProps) {
  const { kind, id, action } = object;
  const name = titleOf(titledObject(object), useLocations());
  const exists = action !== (isProposed ? 'create' : 'delete');
  const link = exists ? <ResourceLink kind={kind} id={id} name={name} /> : name;
  return (
    <>
      {hasLevel(kind) ? <LevelMark level={levelOf(kind)}>{link}</LevelMark> : link}
      <Text span size="sm" c="dimmed">
        {' '}
        {kindWords(kind)} {ACTIONS[action]}
      </Text>
    </>
  );
}
