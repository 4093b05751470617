import { Text } from '@mantine/core';
import { counted } from '../../components/counted';
import { itemsBody, linesBody } from './import-file';
import { PreviewImport } from './preview-import';

type Props = { readonly name: string } & (
  | { readonly format: 'ndjson'; readonly content: Blob }
  | { readonly format: 'items'; readonly items: readonly unknown[] }
);

/** A file that contains resources as the API has them: nothing has to be chosen. */
export function ItemsForm(file: Props) {
  return (
    <>
      <Text size="sm">
        {file.format === 'items'
          ? `${counted(file.items.length, 'resource')} in the file.`
          : 'Each line of the file is a resource. It is sent as it is.'}
      </Text>
      <PreviewImport
        name={file.name}
        bodyOf={() => (file.format === 'items' ? itemsBody(file.items) : linesBody(file.content))}
        command={['muster', 'import', file.name]}
      />
    </>
  );
}
