import { Text } from '@mantine/core';
import type { components } from '@muster/api-types';
import { useLocations } from '../api/locations';
import { kindOfTitle, titledObject, titleOf } from './change-summary';
import classes from './changed-object-list.module.css';
import { hasLevel, LevelMark, levelOf } from './level-mark';
import { ObjectDiff } from './object-diff';
import { useIsPreview } from './preview-context';
import { ResourceLink } from './resource-link';

type ChangedObject = components['schemas']['ChangedObject'];

interface Props {
  readonly objects: readonly ChangedObject[];
}

/** Resources that a change touches, each with what changes. */
export const ChangedObjectList = ({ objects }: Props) => (
  <ol className={classes.objects} aria-label="Changed resources">
    {objects.map((object) => (
      <li key={`${object.kind}/${object.id}`} className={classes.object}>
        <ObjectTitle object={object} />
        <ObjectDiff object={object} />
      </li>
    ))}
  </ol>
);

const ACTIONS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

function ObjectTitle({ object }: { readonly object: ChangedObject }) {
  const { kind, id, action } = object;
  const isPreview = useIsPreview();
  const name = titleOf(titledObject(object), useLocations());
  // In a preview, nothing has been created or deleted yet.
  const exists = action !== (isPreview ? 'create' : 'delete');
  const link = exists ? <ResourceLink kind={kind} id={id} name={name} /> : name;
  return (
    <>
      {hasLevel(kind) ? <LevelMark level={levelOf(kind)}>{link}</LevelMark> : link}
      <Text span size="sm" c="dimmed">
        {' '}
        {kindOfTitle(kind)} {ACTIONS[action]}
      </Text>
    </>
  );
}
