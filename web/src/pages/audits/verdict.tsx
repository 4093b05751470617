import { CheckCircledIcon, CrossCircledIcon, MinusCircledIcon } from '@radix-ui/react-icons';
import clsx from 'clsx';
import type { components } from '@muster/api-types';
import classes from './verdict.module.css';

type Counts = Pick<components['schemas']['AuditResult'], 'devices' | 'failed'>;

const count = new Intl.NumberFormat();

/** The outcome of a run: how many of the devices fail. */
export function Verdict({ devices, failed }: Counts) {
  const [kind, Icon, text] =
    failed > 0
      ? ([
          'failed',
          CrossCircledIcon,
          `${count.format(failed)} of ${count.format(devices)} ${failed === 1 ? 'fails' : 'fail'}`,
        ] as const)
      : devices > 0
        ? ([
            'passed',
            CheckCircledIcon,
            devices === 1 ? '1 passes' : `all ${count.format(devices)} pass`,
          ] as const)
        : (['none', MinusCircledIcon, 'no devices'] as const);
  return (
    <span className={clsx(classes.verdict, classes[kind])}>
      <Icon aria-hidden />
      {text}
    </span>
  );
}
