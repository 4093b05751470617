import { Button, Code, CopyButton } from '@mantine/core';
import classes from './command-text.module.css';

/** A command for a shell, with a button that copies it. */
export const CommandText = ({ text }: { readonly text: string }) => (
  <div className={classes.command}>
    <Code block tabIndex={0} className={classes.text}>
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  </div>
);
