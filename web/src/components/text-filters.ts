import type { ListSearch } from './list-search';

/** The filters whose text is typed. Those with several texts are repeated in the URL. */
type OneText = 'name_prefix' | 'name_contains' | 'ip';
type SeveralTexts = 'label' | 'without_label' | 'device_type';

export interface TextFilter {
  readonly parameter: OneText | SeveralTexts;
  /** The label of its field. */
  readonly title: string;
  /** The words before its text: `type server`. */
  readonly words: string;
  readonly placeholder?: string;
}

export const TEXT_FILTERS: readonly TextFilter[] = [
  { parameter: 'name_prefix', title: 'Name begins with', words: 'name begins with' },
  { parameter: 'name_contains', title: 'Name contains', words: 'name contains' },
  { parameter: 'label', title: 'Label', words: 'label' },
  { parameter: 'without_label', title: 'Without the label', words: 'without the label' },
  { parameter: 'device_type', title: 'Type', words: 'type' },
  { parameter: 'ip', title: 'Address or network', words: 'address', placeholder: '10.1.0.0/24' },
];

/** The texts of a filter, each once. */
export const textsOf = (search: ListSearch, { parameter }: TextFilter): readonly string[] => [
  ...new Set([search[parameter] ?? []].flat()),
];

/** A filter's search parameter with one more text. @param typed may have outer blanks */
export const withText = (search: ListSearch, filter: TextFilter, typed: string): ListSearch =>
  withTexts(filter, [...(hasSeveral(filter) ? textsOf(search, filter) : []), typed]);

/** A filter's search parameter with a text in the place of another one. @param typed empty: none */
export const withTextReplaced = (
  search: ListSearch,
  filter: TextFilter,
  former: string,
  typed: string,
): ListSearch =>
  withTexts(
    filter,
    textsOf(search, filter).map((text) => (text === former ? typed : text)),
  );

const SEVERAL: readonly string[] = ['label', 'without_label', 'device_type'] satisfies SeveralTexts[];

const hasSeveral = ({ parameter }: TextFilter): boolean => SEVERAL.includes(parameter);

function withTexts(filter: TextFilter, typed: readonly string[]): ListSearch {
  const texts = [...new Set(typed.map((text) => text.trim()))].filter((text) => text !== '');
  const value = hasSeveral(filter) && texts.length > 0 ? texts : texts[0];
  return { [filter.parameter]: value };
}
