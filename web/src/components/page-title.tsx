import { Title, type TitleProps } from '@mantine/core';
import { useEffect } from 'react';

const APPLICATION = 'Muster';

interface Props extends Omit<TitleProps, 'title' | 'order'> {
  /** The title of the browser's tab. */
  readonly title: string;
}

/** The heading of a page, which also names the tab, the history entry and the bookmark. By default, it shows the title. */
export function PageTitle({ title, children = title, ...props }: Props) {
  useEffect(() => {
    document.title = title === APPLICATION ? title : `${title} · ${APPLICATION}`;
    return () => {
      document.title = APPLICATION;
    };
  }, [title]);
  return (
    <Title order={1} {...props}>
      {children}
    </Title>
  );
}
