import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { UnreadableParameter } from '../app/search-params';
import { beginningOf } from './beginning-of';
import { EmptyState } from './states';

/** Of a value that is shown. */
const MAX_LENGTH = 100;

interface Props {
  readonly parameters: readonly UnreadableParameter[];
}

/** Shown instead of a page whose URL has what the page cannot read, such as that of a link that was cut off. */
export function UnreadableAddress({ parameters }: Props) {
  const navigate = useNavigate();
  // The router would retain a parameter that is only left out.
  const absent = Object.fromEntries(parameters.map(({ name }) => [name, undefined]));
  const examples = new Set(parameters.flatMap(({ example }) => example ?? []));
  const texts = parameters.map(({ name, text }) => beginningOf(`${name}=${text}`, MAX_LENGTH));
  return (
    <EmptyState
      isPage
      title="The address cannot be read"
      action={
        <Button
          onClick={() => {
            void navigate({
              to: '.',
              search: (former) => ({ ...former, ...absent }),
            });
          }}
        >
          {'at' in absent ? 'Show the present' : 'Open without it'}
        </Button>
      }
    >
      The address has {texts.join(' and ')}, which this page cannot read: without it, it would show something
      else. {[...examples].join(' ')} The link may have been cut off.
    </EmptyState>
  );
}
