import { Note, OptionalText, RequiredText } from '../resources/body-members';

export class CreateCloud {
  @RequiredText('private', 'Unique in the project.')
  name!: string;

  @Note()
  note?: string | null;
}

export class UpdateCloud {
  @OptionalText('private', 'Unique in the project.')
  name?: string;

  @Note()
  note?: string | null;
}
