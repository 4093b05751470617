import { column, timestamp, type ResourceMapping } from '../database/resource-mapping';
import type { ResourceDefinition } from '../resources/resource-definition';
import { NO_INHERITANCE } from '../variables/levels';
import type { ProposalCommentView } from './proposal.dto';

const commentMapping: ResourceMapping<keyof ProposalCommentView> = {
  kind: 'comment',
  collection: 'comments',
  table: 'proposal_comments',
  idType: 'bigint',
  nameField: 'text',
  fields: {
    id: column('id', 'bigint'),
    author: { sql: `json_build_object('id', t.author_id, 'username', t.author_username)` },
    text: { sql: 't.text' },
    created_at: timestamp('created_at'),
  },
  carriesVariables: false,
  usedBy: [],
};

/** The comments of a proposal. They never change. */
export const proposalComments: ResourceDefinition = {
  mapping: commentMapping,
  inheritance: NO_INHERITANCE,
  filters: [],
  showsVariables: false,
  filtersVariables: false,
  isPresentOnly: true,
};
