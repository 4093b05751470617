/** What is printed as one row of a list. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of a list, which can arrive one after the other. */
export type Rows = AsyncIterable<Row> | Iterable<Row>;
