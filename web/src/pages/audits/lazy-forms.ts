import { lazyDialog } from '../../components/lazy-component';
import type { FormProps } from '../../components/managed-list';
import type { Audit } from '../../api/audits';

// The pages show results first. Their forms are loaded when they are opened.

export const AuditForm = lazyDialog<FormProps<Audit>>(() =>
  import('./audit-form').then(({ AuditForm: form }) => form),
);

export const RemediateForm = lazyDialog(() =>
  import('./remediate-form').then(({ RemediateForm: form }) => form),
);

export const RemediateOwnForm = lazyDialog(() =>
  import('./remediate-own-form').then(({ RemediateOwnForm: form }) => form),
);
