import { Title, type TitleProps } from '@mantine/core';
import { useContext, useEffect } from 'react';
import { PageProjectName } from '../app/use-project';

const APPLICATION = 'Muster';

interface Props extends Omit<TitleProps, 'title' | 'order'> {
  /** What the page shows, for the title of the browser's tab. */
  readonly title: string;
}

/**
 * The heading of a page, by default its title. The title, the project and the application name the tab, the history entry and the
 * bookmark: several tabs can show the same page of several projects.
 */
export function PageTitle({ title, children = title, ...props }: Props) {
  const project = useContext(PageProjectName);
  useEffect(() => {
    const names = [title, project, APPLICATION].filter((name) => name !== undefined);
    document.title = names.join(' · ');
    return () => {
      document.title = APPLICATION;
    };
  }, [title, project]);
  return (
    <Title order={1} {...props}>
      {children}
    </Title>
  );
}
