/** The first parts of the keys of queries, where more than one file needs them. */

/** What a write would do. */
export const PREVIEW = 'preview';

/** Where a list was when it was left: no data of the service. */
export const LIST_POSITION = 'list-position';

/** The newest change of a project. */
export const NEWEST_CHANGE = 'newest-change';

/** Saved views. */
export const VIEWS = 'views';
