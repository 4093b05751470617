import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageTitle } from '../../components/page-title';
import { AuditVerdicts } from './audit-verdicts';
import { DeviceCounts } from './device-counts';
import { Disagreement } from './disagreement';
import classes from './overview-page.module.css';
import { PinnedMap } from './pinned-map';
import { RecentChanges } from './recent-changes';

/** The fleet at a glance: how many devices, what changed, what fails, and where devices disagree. */
export const OverviewPage = () => (
  <>
    <PageTitle title="Overview" />
    <Section title="Fleet map">
      <PinnedMap />
    </Section>
    <div className={classes.sections}>
      <Section title="Devices">
        <DeviceCounts />
      </Section>
      <Section title="Recent changes">
        <RecentChanges />
      </Section>
      <Section title="Where devices disagree">
        <Disagreement />
      </Section>
      <Section title="Audits">
        <AuditVerdicts />
      </Section>
    </div>
  </>
);

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={classes.section} aria-label={title}>
    <Title order={2} pb="xs">
      {title}
    </Title>
    {children}
  </section>
);
