import classes from './label-pills.module.css';
import { RouteLink } from './resource-link';

interface Props {
  /** Names joined by commas, as in the API. */
  readonly labels: string;
  /** Whether a label has a link to the devices that have it. One that is only previewed may not exist yet. */
  readonly isLinked?: (label: string) => boolean;
}

/** The labels of a device. */
export const LabelPills = ({ labels, isLinked = () => true }: Props) =>
  labels === '' ? null : (
    <span title={labels.replaceAll(',', ', ')}>
      {namesIn(labels).map((label) =>
        isLinked(label) ? (
          <RouteLink
            key={label}
            to="/devices"
            search={{ label: [label] }}
            className={classes.pill}
            size="xs"
            c="var(--level-label)"
            dir="auto"
          >
            {label}
          </RouteLink>
        ) : (
          <span key={label} className={classes.pill} dir="auto">
            {label}
          </span>
        ),
      )}
    </span>
  );

export const namesIn = (labels: string): readonly string[] =>
  labels.split(',').filter((label) => label !== '');
