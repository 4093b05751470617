import { useIsExistingKey } from '../api/variable-keys';
import { useIsPreview } from './preview-context';
import { ResourceLink } from './resource-link';

interface Props {
  readonly name: string;
}

/** A variable with a link to its page. In a preview, one that nothing sets yet is a text. */
export const VariableKeyLink = ({ name }: Props) =>
  useIsPreview() ? <PreviewedKey name={name} /> : <Link name={name} />;

const PreviewedKey = ({ name }: Props) =>
  useIsExistingKey(name) ? <Link name={name} /> : <span dir="auto">{name}</span>;

const Link = ({ name }: Props) => <ResourceLink kind="variable-key" id={null} name={name} />;
