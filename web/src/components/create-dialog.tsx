import { createMembers, type CreateMember } from '@muster/api-types/create-members';
import { kindWords, type DeviceKind, type InventoryKind } from '../api/kinds';
import { counted } from './counted';
import { creationOf, namesText } from './creation';
import { withoutFormerCell } from './device-location';
import { FormDialog } from './form-dialog';
import type { FieldProblem } from './form-problems';
import { JsonField } from './json-field';
import { isEditable, isName, type Values } from './member-description';
import { MemberField } from './member-field';
import { memberTitle } from './member-title';
import type { PlannedWrite } from './previewed-write';
import { planCreate } from './resource-write';
import { RightsHint } from './rights';
import { useFields } from './use-fields';
import { useShowCreated } from './use-show-created';

interface Props {
  readonly kind: DeviceKind | InventoryKind;
  /** Members to begin with, such as the region of the list, or those of the resource that is copied. */
  readonly initial?: Values;
  /** The name of the resource that is copied. */
  readonly copied?: string;
  readonly onClose: () => void;
}

/** What a new resource has, if it has the member. */
const DEFAULTS: Values = { active: true };

/** The name first, then what is required, and the long texts last. */
const rankOf = ({ name, type, required }: CreateMember): number =>
  isName(name) ? 0 : required ? 1 : type === 'json' ? 3 : 2;

/** Creates a resource, or several, if the name contains a range. */
export function CreateDialog({ kind: { kind, collection }, initial = {}, copied, onClose }: Props) {
  const [values, change] = useFields<Values>({ ...DEFAULTS, ...initial });
  // Back does not open the form again: unless a resource is copied, the URL opens it.
  const showCreated = useShowCreated(kind, copied === undefined);
  const members = (createMembers[collection] ?? [])
    .filter(isEditable)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const creation = creationOf(members, values);
  const several = 'names' in creation && creation.names.length > 1 ? creation.names : undefined;
  const words = kindWords(kind);
  const plan = (): PlannedWrite | FieldProblem => {
    if (!('names' in creation)) return creation;
    const { names, bodies } = creation;
    const [body = {}] = bodies;
    const title = several
      ? `Create ${counted(names.length, words, kindWords(collection))}: ${namesText(names)}`
      : `Create ${words} ${names.join()}`;
    const command = ['muster', kind, 'create', ...creation.words];
    const itemTitle = ({ index }: { readonly index: number }) => names[index] ?? '';
    return planCreate(
      { title, command, ...(several && { itemTitle }) },
      `/v1/${collection}`,
      several ? bodies : body,
    );
  };
  return (
    <FormDialog
      title={copied === undefined ? `New ${words}` : `Copy ${copied}`}
      plan={plan}
      onClose={onClose}
      onApplied={(body) => {
        onClose();
        showCreated(body);
      }}
    >
      <RightsHint collection={collection} />
      {members.map((member, i) =>
        member.type === 'json' ? (
          <JsonField
            key={member.name}
            name={member.name}
            label={memberTitle(member.name)}
            description={`JSON. ${member.description}`}
            text={textOf(values[member.name])}
            onChange={(text) => {
              change({ [member.name]: text });
            }}
          />
        ) : (
          <MemberField
            key={member.name}
            member={member}
            value={values[member.name]}
            region={values['region_id']}
            isFirst={i === 0}
            isRequired={member.required ?? false}
            description={
              isName(member.name)
                ? several
                  ? `Creates ${several.length}: ${namesText(several)}`
                  : 'A range, such as web-{1..12}, creates several.'
                : (DESCRIPTIONS[member.name] ?? plainText(member.description))
            }
            onChange={(value) => {
              change(withoutFormerCell({ [member.name]: value }));
            }}
          />
        ),
      )}
    </FormDialog>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is said of a member instead of its description in the API, which names headers. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  note: 'Also the reason of the change, if you give none.',
};

/** A description of the API without its Markdown. */
const plainText = (description: string): string => description.replaceAll('`', '');
