import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useState } from 'react';

/** A field for several texts. Its list of options closes once one is entered: it would cover the rest of the form. */
export function TagsField({
  searchValue,
  onSearchChange,
  onChange,
  comboboxProps,
  ...props
}: TagsInputProps) {
  const [isOpen, setOpen] = useState(false);
  const [ownText, setOwnText] = useState('');
  return (
    <TagsInput
      {...props}
      size="xs"
      dropdownOpened={isOpen}
      onDropdownOpen={() => {
        setOpen(true);
      }}
      onDropdownClose={() => {
        setOpen(false);
      }}
      searchValue={searchValue ?? ownText}
      onSearchChange={(text) => {
        setOwnText(text);
        onSearchChange?.(text);
        if (text !== '') setOpen(true);
      }}
      onChange={(values) => {
        setOpen(false);
        onChange?.(values);
      }}
      // Within the dialog, which is a landmark.
      comboboxProps={{ withinPortal: false, ...comboboxProps }}
    />
  );
}
