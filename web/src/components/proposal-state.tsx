import clsx from 'clsx';
import type { ProposalState as State } from '../api/proposals';
import classes from './proposal-state.module.css';

/** The state of a proposal in a colour: what waits, what is decided for, and what against. */
export const ProposalState = ({ state }: { readonly state: State }) => (
  <span className={clsx(classes.state, classes[state])}>{state}</span>
);
